import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LineCutter, parseResticLine, type ResticLine, type ResticSummary } from '../../src/core/volumes/index.ts';
import { content, describeTree } from '../../src/edge/volumes/samples.ts';
import { programPath } from '../bed/cache.ts';
import { needs } from '../bed/index.ts';
import { partNamed } from '../bed/parts.ts';

const MIB = 1024 * 1024;
const need = needs('restic');

describe.skipIf(need.missing)(need.title('what restic prints'), { timeout: 60_000 }, () => {
  let place: string;
  const restic = async (...args: string[]): Promise<ResticLine[]> => {
    // restic decides by this how often it prints.
    const env = {
      ...process.env,
      RESTIC_PASSWORD: 'p',
      RESTIC_REPOSITORY: join(place, 'repository'),
      RESTIC_PROGRESS_FPS: '20',
    };
    const child = spawn(programPath(partNamed('restic')), ['--no-cache', '--json', ...args], { env });
    const cutter = new LineCutter();
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => lines.push(...cutter.push(chunk.toString())));
    }
    await once(child, 'close');
    return [...lines, cutter.end() ?? ''].flatMap((line) => parseResticLine(line) ?? []);
  };
  const summaryOf = (lines: readonly ResticLine[]): ResticSummary | undefined =>
    lines.flatMap((line) => (line.kind === 'summary' ? [line.summary] : [])).at(-1);

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'headway-restic-'));
    mkdirSync(join(place, 'volume'));
    for (let at = 0; at < 16; at += 1) writeFileSync(join(place, 'volume', `f${at}`), content(8 * MIB, at));
    await restic('init');
  });
  afterAll(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('of a backup and a restore is understood', async () => {
    const backup = await restic('backup', join(place, 'volume'));
    const done = backup.flatMap((line) => (line.kind === 'progress' ? [line.progress.bytesDone] : []));
    expect(done.length).toBeGreaterThan(0);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    const summary = summaryOf(backup);
    expect(summary).toMatchObject({ progress: { bytesDone: 128 * MIB, totalBytes: 128 * MIB, filesDone: 16 } });
    const restore = await restic(
      'restore',
      `${summary?.snapshotId ?? ''}:${join(place, 'volume')}`,
      '--target',
      join(place, 'target'),
    );
    expect(summaryOf(restore)).toMatchObject({ progress: { bytesDone: 128 * MIB, totalBytes: 128 * MIB } });
    const keeps = { directoryTimes: false };
    expect(Object.keys(describeTree(join(place, 'target'), keeps))).toHaveLength(17);
  });

  it('of an error is understood', async () => {
    const lines = await restic('restore', 'no-such-snapshot', '--target', join(place, 'nowhere'));
    expect(lines).toContainEqual({ kind: 'problem', text: expect.stringContaining('no-such-snapshot') as string });
  });
});
