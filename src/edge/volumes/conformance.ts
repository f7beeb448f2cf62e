import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { describeBroughtUp } from './bring-up-conformance.ts';
import type { PluginProgress, RestoreRequest, SnapshotRequest, VolumePlugin } from './index.ts';
import { addHardLinks, addSparseFile, content, describeTree, makeTree } from './samples.ts';

export interface Subject {
  plugin: Required<VolumePlugin>;
  /** Whether several names of one file stay one file, names that are no UTF-8 stay, and directories keep their times. */
  keeps: { hardLinks: boolean; anyName: boolean; directoryTimes: boolean };
  /** Whether a second snapshot of unchanged files reads nothing again. */
  isIncremental: boolean;
  /** How many snapshots are stored, whole or not. */
  stored: () => Promise<number>;
  close?: () => Promise<void>;
}

const MIB = 1024 * 1024;

/** What every plugin that copies the files of a volume must do. */
export function describePlugin(open: () => Promise<Subject>): void {
  let subject: Subject;
  let place: string;
  let uses = 0;
  const never = new AbortController().signal;
  const quiet = { signal: never };
  const tree = (path: string) => describeTree(path, subject.keeps);
  const sample = (path: string) => {
    makeTree(path, subject.keeps);
  };
  const source = (): string => join(place, 'source');
  const target = (): string => join(place, 'target');
  const request = (): SnapshotRequest => ({
    id: `b-${String((uses += 1)).padStart(10, '0')}`,
    path: source(),
    source: { namespace: 'shop', pod: 'db-0', volume: `data-${uses}` },
  });
  const snapshot = async (change: Partial<SnapshotRequest> = {}, notes: string[] = []) => {
    const asked = { ...request(), ...change };
    const taken = await subject.plugin.snapshot(asked, { signal: never, onNote: (text) => notes.push(text) });
    return { ...taken, volumeId: asked.id, source: asked.source };
  };
  const restore = async (taken: { snapshotID: string; volumeId: string }, change: Partial<RestoreRequest> = {}) => {
    const id = `r-${String((uses += 1)).padStart(10, '0')}`;
    return await subject.plugin.restore({ id, path: target(), ...taken, ...change }, quiet);
  };

  beforeAll(async () => {
    subject = await open();
  });
  afterAll(async () => {
    await subject.close?.();
  });
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'headway-volume-'));
    mkdirSync(source());
    mkdirSync(target());
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('restores a tree as it was', async () => {
    sample(source());
    addSparseFile(source());
    if (subject.keeps.hardLinks) addHardLinks(source());
    const before = tree(source());
    const taken = await snapshot();
    const { progress } = await restore(taken, { totalBytes: taken.progress.totalBytes });
    expect(tree(target())).toEqual(before);
    expect(statSync(join(target(), 'sparse')).blocks * 512).toBeLessThan(MIB);
    const sizes = Object.entries(before).filter(([, { type, sameAs }]) => type === 'file' && sameAs === undefined);
    const total = sizes.reduce((sum, [path]) => sum + statSync(Buffer.from(`${source()}${path}`, 'latin1')).size, 0);
    expect(taken.progress).toMatchObject({ bytesDone: total, totalBytes: total });
    // Programs print rounded numbers.
    expect(Math.abs(progress.bytesDone - total)).toBeLessThan(total / 100);
  });

  it('names files whose names it cannot keep', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${source()}/`), Buffer.from([0x62, 0xff])]), 'no text');
    const notes: string[] = [];
    const taken = await snapshot({}, notes);
    await restore(taken);
    if (subject.keeps.anyName) expect([notes, tree(target())]).toEqual([[], tree(source())]);
    else expect(notes).toEqual(['stored under another name, theirs being no UTF-8: 1 file: b\ufffd']);
    expect(Object.keys(tree(target()))).toHaveLength(2);
  });

  it('takes the snapshot of an empty volume', async () => {
    const taken = await snapshot();
    await restore(taken);
    expect(tree(target())).toEqual(tree(source()));
    expect(taken.progress.bytesDone).toBe(0);
  });

  it('names what it cannot copy', async () => {
    writeFileSync(join(source(), 'file'), 'file');
    const server: Server = createServer();
    await new Promise<void>((resolve) => server.listen(join(source(), 'socket'), resolve));
    const notes: string[] = [];
    const taken = await snapshot({}, notes);
    await new Promise((resolve) => server.close(resolve));
    await restore(taken);
    expect(Object.keys(tree(target()))).toEqual(['', '/file']);
    expect(notes).toEqual(['left out, being no files or links: 1 file: socket (socket)']);
  });

  it('reports progress while it works, and none before and after', async () => {
    for (let index = 0; index < 8; index += 1) writeFileSync(join(source(), `f${index}`), content(8 * MIB, index));
    const asked = request();
    const { plugin } = subject;
    expect(await plugin.progress(asked.id)).toBeUndefined();
    const seen: PluginProgress[] = [];
    const state = { isOver: false };
    const work = plugin.snapshot(asked, quiet).finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      const now = await plugin.progress(asked.id);
      if (now !== undefined) seen.push(now);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { progress } = await work;
    expect(progress).toMatchObject({ bytesDone: 64 * MIB, totalBytes: 64 * MIB, filesDone: 8 });
    expect(seen.length).toBeGreaterThan(2);
    const done = seen.map(({ bytesDone }) => bytesDone);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(await plugin.progress(asked.id)).toBeUndefined();
  });

  it('reuses what an earlier snapshot has', async () => {
    for (let index = 0; index < 4; index += 1) writeFileSync(join(source(), `f${index}`), content(4 * MIB, index));
    const first = await snapshot();
    writeFileSync(join(source(), 'f0'), content(MIB, 9));
    const second = await snapshot({ source: first.source });
    expect(first.progress.bytesReused).toBe(0);
    const { bytesReused = -1, bytesUploaded = -1 } = second.progress;
    // Rounded, where the program prints it so.
    if (subject.isIncremental) expect([bytesReused > 11 * MIB, bytesUploaded < 3 * MIB]).toEqual([true, true]);
    else expect(bytesReused).toBe(0);
    await restore(second);
    expect(tree(target())).toEqual(tree(source()));
  });

  describe('with verification', () => {
    it('records and compares checksums', async () => {
      sample(source());
      const taken = await snapshot({ isVerified: true });
      const back = await restore(taken, { isVerified: true });
      expect(taken.checksum).toMatch(/^[0-9a-f]{64}$/);
      expect(back.checksum).toBe(taken.checksum);
      expect((await snapshot()).checksum).toBeUndefined();
    });

    it('gives another checksum to another tree', async () => {
      writeFileSync(join(source(), 'a'), 'one');
      const one = await snapshot({ isVerified: true });
      writeFileSync(join(source(), 'a'), 'two');
      expect((await snapshot({ isVerified: true })).checksum).not.toBe(one.checksum);
    });
  });

  describe('into a volume that is not empty', () => {
    const fill = (): void => {
      writeFileSync(join(target(), 'old'), 'old');
      mkdirSync(join(target(), 'old-folder/below'), { recursive: true });
      writeFileSync(join(target(), 'old-folder/below/file'), 'old');
    };

    it('removes what is not in the snapshot, when told to', async () => {
      sample(source());
      fill();
      mkdirSync(join(target(), 'a'));
      writeFileSync(join(target(), 'a/file-1'), 'of another time');
      await restore(await snapshot(), { isExact: true });
      expect(tree(target())).toEqual(tree(source()));
    });

    it('puts a file in the place of a folder, and a folder in the place of a file', async () => {
      for (const [folder, file] of [
        [source(), target()],
        [target(), source()],
      ] as const) {
        mkdirSync(join(folder, folder === source() ? 'one' : 'two'));
        writeFileSync(join(folder, folder === source() ? 'one/file' : 'two/file'), 'below');
        writeFileSync(join(file, folder === source() ? 'one' : 'two'), 'a file');
      }
      await restore(await snapshot(), { isExact: true });
      expect(tree(target())).toEqual(tree(source()));
    });

    it('never writes through a link', async () => {
      const outside = join(place, 'outside');
      mkdirSync(outside);
      mkdirSync(join(source(), 'folder'));
      writeFileSync(join(source(), 'folder/file'), 'new');
      writeFileSync(join(source(), 'file'), 'new');
      symlinkSync(outside, join(target(), 'folder'));
      symlinkSync(join(outside, 'file'), join(target(), 'file'));
      await restore(await snapshot(), { isExact: true });
      expect(tree(target())).toEqual(tree(source()));
      expect(Object.keys(tree(outside))).toEqual(['']);
    });
  });

  describe('into a volume with files of another time', () => {
    const outside = (): string => join(place, 'outside');
    beforeEach(() => {
      mkdirSync(outside());
      writeFileSync(join(outside(), 'precious'), 'precious');
    });
    describeBroughtUp({ source, target, outside, sample, tree, snapshot: () => snapshot(), restore });
  });

  it('ends soon when it is canceled, and leaves nothing', async () => {
    for (let index = 0; index < 24; index += 1) writeFileSync(join(source(), `f${index}`), content(16 * MIB, index));
    const before = await subject.stored();
    const stop = new AbortController();
    const asked = request();
    const work = subject.plugin.snapshot(asked, { signal: stop.signal });
    for (;;) {
      const now = await subject.plugin.progress(asked.id);
      if ((now?.bytesDone ?? 0) > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const reason = new AppError('canceled', 'somebody canceled');
    const began = performance.now();
    stop.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(await subject.stored()).toBe(before);
  });

  it('deletes a snapshot, and what is not there', async () => {
    writeFileSync(join(source(), 'a'), 'a');
    const before = await subject.stored();
    const taken = await snapshot({ isVerified: true });
    expect(await subject.stored()).toBeGreaterThan(before);
    const doomed = { snapshotIDs: [taken.snapshotID], volumes: [taken.volumeId] };
    await subject.plugin.delete(doomed, quiet);
    expect(await subject.stored()).toBe(before);
    await subject.plugin.delete(doomed, quiet);
    await expect(restore(taken)).rejects.toMatchObject({ name: 'AppError', code: 'notFound' });
  });

  it('says what is wrong with a volume that is not there', async () => {
    rmSync(source(), { recursive: true });
    await expect(snapshot()).rejects.toMatchObject({ name: 'AppError', code: 'notFound' });
  });

  it('goes on when files change, grow, shrink and vanish under it', async () => {
    for (let index = 0; index < 200; index += 1) writeFileSync(join(source(), `f${index}`), content(300_000, index));
    const asked = request();
    const state = { isOver: false };
    const work = subject.plugin.snapshot(asked, quiet).finally(() => {
      state.isOver = true;
    });
    for (let index = 199; !state.isOver && index > 20; index -= 1) {
      const file = join(source(), `f${index}`);
      if (index % 3 === 0) unlinkSync(file);
      else writeFileSync(file, content(index % 3 === 1 ? 1000 : 600_000, 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const taken = await work;
    await restore({ ...taken, volumeId: asked.id });
    expect(Object.keys(tree(target())).length).toBeGreaterThan(20);
  });
}
