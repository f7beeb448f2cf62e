import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { advance, copyPercent, type CopyProgress } from './copy-progress.ts';
import { parseKopiaProblem, plainLine } from './kopia-problem.ts';
import { parseKopiaRestore } from './kopia-restore.ts';
import { parseKopiaSnapshot } from './kopia-snapshot.ts';
import { LineCutter } from './line-cutter.ts';
import { parseResticLine, type ResticLine } from './restic.ts';

const FIXTURES = new URL('../../../../test/fixtures/movers/', import.meta.url);

const textOf = (file: string): string => readFileSync(new URL(file, FIXTURES), 'utf8');

function linesOf(file: string): string[] {
  const cutter = new LineCutter();
  return [...cutter.push(textOf(file)), cutter.end() ?? ''];
}

/** Each line of progress begins with one. */
const returnsIn = (file: string): number => textOf(file).split('\r').length - 1;

function progressOf(file: string, parse: (line: string) => CopyProgress | undefined): CopyProgress[] {
  return linesOf(file).flatMap((line) => parse(plainLine(line)) ?? []);
}

const done = (all: readonly CopyProgress[]): number[] => all.map(({ bytesDone }) => bytesDone);

describe('recorded output', () => {
  it('of a first snapshot with kopia 0.22.3', () => {
    const all = progressOf('kopia-0.22.3-snapshot.stderr.txt', parseKopiaSnapshot);
    expect(all).toHaveLength(returnsIn('kopia-0.22.3-snapshot.stderr.txt'));
    expect(all[0]).toEqual({ bytesDone: 1600, bytesReused: 0, bytesUploaded: 0, filesDone: 0 });
    expect(all[10]).toEqual({
      bytesDone: 170_000_000,
      totalBytes: 817_600_000,
      bytesReused: 0,
      bytesUploaded: 143_100_000,
      filesDone: 744,
      secondsLeft: 2,
    });
    expect(all.at(-1)).toMatchObject({ bytesDone: 817_600_000, filesDone: 3006 });
    expect(done(all)).toEqual(done(all).toSorted((a, b) => a - b));
    expect(all.map(copyPercent).at(-1)).toBe(99);
  });

  it.each([
    ['kopia-0.22.3-incr.stderr.txt', { bytesDone: 817_601_800, bytesReused: 817_600_000, bytesUploaded: 186 }],
    ['kopia-0.22.3-plain.stderr.txt', { bytesDone: 817_600_000, bytesReused: 817_600_000, bytesUploaded: 0 }],
  ])('of a second snapshot, %s, tells what was reused', (file, last) => {
    const all = progressOf(file, parseKopiaSnapshot);
    expect(all).toHaveLength(2);
    expect(all.at(-1)).toEqual({ ...last, filesDone: 3006 });
  });

  it('of a restore with kopia 0.22.3', () => {
    const all = progressOf('kopia-0.22.3-restore.stderr.txt', parseKopiaRestore);
    expect(all).toHaveLength(returnsIn('kopia-0.22.3-restore.stderr.txt'));
    expect(all[0]).toEqual({ bytesDone: 308_600, totalBytes: 817_600_000, filesDone: 155 });
    expect(all[9]).toEqual({ bytesDone: 106_000_000, totalBytes: 817_600_000, filesDone: 1774, secondsLeft: 5 });
    expect(all.at(-1)?.bytesDone).toBe(817_600_000);
  });

  it('of restic 0.18.0', () => {
    const parse = (file: string): ResticLine[] => linesOf(file).flatMap((line) => parseResticLine(line) ?? []);
    const backup = parse('restic-0.18.0-backup.jsonl.txt');
    expect(backup[0]).toEqual({
      kind: 'progress',
      progress: { bytesDone: 3_610_558, totalBytes: 817_636_334, secondsLeft: 24 },
      current: '/vol/a/big0.bin',
    });
    expect(backup.at(-1)).toEqual({
      kind: 'summary',
      summary: {
        snapshotId: '1a1b7f4f030014df5a8492a44c5dd40f39bc16cda19b1b5e0ff9e346f7f2892a',
        progress: {
          bytesDone: 817_636_334,
          totalBytes: 817_636_334,
          bytesUploaded: 812_011_526,
          filesDone: 3006,
        },
      },
    });
    const restore = parse('restic-0.18.0-restore.jsonl.txt');
    expect(restore.at(-1)).toEqual({
      kind: 'summary',
      summary: { progress: { bytesDone: 817_636_334, totalBytes: 817_636_334, filesDone: 3008 } },
    });
    const steps = restore.flatMap((line) => (line.kind === 'progress' ? [line.progress] : []));
    expect(done(steps)).toEqual(done(steps).toSorted((a, b) => a - b));
  });
});

describe("the seed's two lines", () => {
  const running =
    ' / 1 hashing, 118 hashed (546.9 MB), 0 cached (0 B), uploaded 0 B, estimated 4.5 GB (12.1%) 35s left';
  const last = ' * 0 hashing, 136 hashed (1.4 GB), 0 cached (0 B), uploaded 244 B, estimated 4.5 GB (30.1%) 30s left';

  it('are read', () => {
    const seen = parseKopiaSnapshot(running);
    expect(seen).toEqual({
      bytesDone: 546_900_000,
      totalBytes: 4_500_000_000,
      bytesReused: 0,
      bytesUploaded: 0,
      filesDone: 118,
      secondsLeft: 35,
    });
    expect(copyPercent(seen!)).toBe(12);
  });

  it('end below 100 %, because only the exit code says that it succeeded', () => {
    const seen = advance(parseKopiaSnapshot(running), parseKopiaSnapshot(last)!);
    expect(seen).toMatchObject({ bytesDone: 1_400_000_000, bytesUploaded: 244, filesDone: 136 });
    expect(copyPercent(seen)).toBe(31);
  });
});

describe('lines as kopia may print them', () => {
  it.each<[string, CopyProgress]>([
    [
      ' | 2 hashing, 10 hashed (1.2 MiB), 0 cached (0 B), uploaded 0.9 KiB, estimated 93 GiB (0.0%) 23h59m59s left',
      {
        bytesDone: 1_258_291,
        totalBytes: 99_857_989_632,
        bytesReused: 0,
        bytesUploaded: 922,
        filesDone: 10,
        secondsLeft: 86_399,
      },
    ],
    [
      ' - 1 hashing, 7 hashed (1 KB), 0 cached (0 B), uploaded 2 KB (1 fatal errors) (3 errors ignored), ' +
        'estimated 10 KB (10.0%) 9s left   ',
      {
        bytesDone: 1000,
        totalBytes: 10_000,
        bytesReused: 0,
        bytesUploaded: 2000,
        filesDone: 7,
        problems: 1,
        secondsLeft: 9,
      },
    ],
    [
      // More is done than was estimated: the total is not known, and there is no percent of 340.
      ' \\ 0 hashing, 20 hashed (95.1 MB), 20730 cached (4.4 GB), uploaded 21.5 MB, estimated 1.3 GB (340.0%) 0s left',
      {
        bytesDone: 4_495_100_000,
        bytesReused: 4_400_000_000,
        bytesUploaded: 21_500_000,
        filesDone: 20_750,
        secondsLeft: 0,
      },
    ],
  ])('%s', (line, expected) => {
    expect(parseKopiaSnapshot(line)).toEqual(expected);
  });

  it.each<[string, CopyProgress]>([
    ['Processed 2 (32.8 KB) of 2 (3.1 GB).', { bytesDone: 32_800, totalBytes: 3_100_000_000, filesDone: 2 }],
    [
      'Processed 9 (1.4 GB) of 12 (1.8 GB), skipped 2 (3 KB), ignored 1 errors 291.1 MB/s (75.2%) remaining 1s.',
      {
        bytesDone: 1_400_003_000,
        totalBytes: 1_800_000_000,
        bytesReused: 3000,
        filesDone: 9,
        problems: 1,
        secondsLeft: 1,
      },
    ],
  ])('%s', (line, expected) => {
    expect(parseKopiaRestore(line)).toEqual(expected);
  });

  it('name files that could not be copied', () => {
    expect(parseKopiaProblem(' ! Error when processing "a/b": open /v/a/b: permission denied')).toEqual({
      path: 'a/b',
      cause: 'open /v/a/b: permission denied',
      hasVanished: false,
    });
    const gone = 'Error when processing "a": unable to open file: open /v/a: no such file or directory';
    expect(parseKopiaProblem(plainLine(`\u001b[31m ! ${gone}\u001b[0m  `))).toMatchObject({ hasVanished: true });
    for (const other of ['readdirent /v/a: not a directory', 'read /v/a: is a directory']) {
      expect(parseKopiaProblem(`Error when processing "a": ${other}`)).toMatchObject({ hasVanished: true });
    }
    expect(parseKopiaProblem('Ignored error when processing "s": unknown or unsupported entry type')?.path).toBe('s');
    expect(parseKopiaProblem('Created snapshot with root k1 and ID 2 in 0s')).toBeUndefined();
  });

  it('of restic tell of errors', () => {
    const error = { message_type: 'error', error: { message: 'permission denied' }, during: 'archival', item: '/v/a' };
    expect(parseResticLine(JSON.stringify(error))).toEqual({ kind: 'problem', text: '/v/a: permission denied' });
    const exit = { message_type: 'exit_error', code: 12, message: 'Fatal: wrong password' };
    expect(parseResticLine(JSON.stringify(exit))).toEqual({ kind: 'problem', text: 'Fatal: wrong password' });
    expect(parseResticLine('{"message_type":"error"}')).toMatchObject({ kind: 'problem' });
  });
});
