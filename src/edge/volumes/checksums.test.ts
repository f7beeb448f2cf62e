import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareChecksums, recordChecksums } from './checksums.ts';
import { content } from './samples.ts';

describe('checksums of a tree', () => {
  let place: string;
  const root = (): string => join(place, 'tree');
  const list = (): string => join(place, 'list');
  const call = { signal: new AbortController().signal, onProgress: () => undefined };
  const compare = async (): Promise<{ sum: string; notes: string[] }> => {
    const notes: string[] = [];
    const sum = await compareChecksums(root(), list(), { ...call, onNote: (text) => notes.push(text) });
    return { sum, notes };
  };

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'headway-sums-'));
    mkdirSync(join(root(), 'a'), { recursive: true });
    for (const name of ['one', 'two', 'a/three']) writeFileSync(join(root(), name), content(3_000_000, name.length));
    writeFileSync(Buffer.concat([Buffer.from(`${root()}/`), Buffer.from([0xff, 0x0a])]), 'no text');
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('are the same for the same tree', async () => {
    const recorded = await recordChecksums(root(), list(), call);
    expect(await compare()).toEqual({ sum: recorded, notes: [] });
  });

  it('find a file whose content differs although size and time do not', async () => {
    await recordChecksums(root(), list(), call);
    const { atime, mtime } = statSync(join(root(), 'two'));
    writeFileSync(join(root(), 'two'), content(3_000_000, 99));
    utimesSync(join(root(), 'two'), atime, mtime);
    await expect(compare()).rejects.toThrow('verify the volume: 1 files differ: two');
  });

  it('name files that changed or vanished meanwhile, which is no error', async () => {
    await recordChecksums(root(), list(), call);
    writeFileSync(join(root(), 'two'), 'shorter');
    rmSync(join(root(), 'one'));
    const { notes } = await compare();
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^not compared, because they changed during the backup: 2 files: /);
    expect(notes[0]).toContain('one (vanished)');
  });

  it('can be stopped, and tell how far they are', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = (bytes: number): void => {
      seen.push(bytes);
      stop.abort(new Error('enough'));
    };
    await expect(recordChecksums(root(), list(), { signal: stop.signal, onProgress })).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});
