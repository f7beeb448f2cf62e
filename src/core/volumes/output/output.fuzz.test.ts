import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { parseByteSize } from './byte-size.ts';
import { advance, cleanProgress, copyPercent, type CopyProgress } from './copy-progress.ts';
import { parseKopiaProblem } from './kopia-problem.ts';
import { parseKopiaRestore } from './kopia-restore.ts';
import { parseKopiaSnapshot } from './kopia-snapshot.ts';
import { LineCutter } from './line-cutter.ts';
import { parseResticLine } from './restic.ts';

const options = (runs: number) => ({ numRuns: fuzzRuns(runs) });

const size = fc
  .tuple(fc.constantFrom('0', '1', '546.9', '0.9', '999.95', '1234567890123456', '007'), fc.constantFrom('', 'K', 'MB'))
  .chain(([amount]) =>
    fc.constantFrom('B', 'KB', 'MB', 'GB', 'EB', 'KiB', 'TiB', 'EiB').map((unit) => `${amount} ${unit}`),
  );
const count = fc.oneof(fc.nat(100_000), fc.constantFrom(0, 999_999_999_999_999)).map(String);
const snapshotLine = fc
  .record({ spin: fc.constantFrom('|', '/', '-', '\\', '*'), hashed: count, size, cached: count, reused: size })
  .chain(({ spin, hashed, size: hashedSize, cached, reused }) =>
    fc
      .tuple(size, fc.option(size))
      .map(
        ([uploaded, estimated]) =>
          ` ${spin} 1 hashing, ${hashed} hashed (${hashedSize}), ${cached} cached (${reused}), uploaded ${uploaded}, ` +
          (estimated === null ? 'estimating...' : `estimated ${estimated} (12.1%) 3m38s left`),
      ),
  );
const restoreLine = fc
  .tuple(count, size, count, size)
  .map(([done, doneSize, total, totalSize]) => `Processed ${done} (${doneSize}) of ${total} (${totalSize}).`);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(-1, 2 ** 60, 1e300, Number.NaN, Number.POSITIVE_INFINITY),
);
const resticLine = fc
  .record({
    message_type: fc.constantFrom('status', 'summary', 'error', 'exit_error', 'verbose_status'),
    bytes_done: fc.oneof(number, anyText(), fc.constant(null)),
    total_bytes: number,
    bytes_skipped: number,
    error: fc.oneof(anyText(), fc.record({ message: fc.oneof(anyText(), number) })),
    current_files: fc.oneof(fc.array(fc.oneof(anyText(), number)), number),
  })
  .map((message) => JSON.stringify(message));
/** Any line, and real ones with something cut out or put in. */
const line = fc
  .tuple(fc.oneof(snapshotLine, restoreLine, resticLine, anyText()), fc.nat(), fc.nat(4), anyText({ maxLength: 3 }))
  .map(([text, at, length, more]) => {
    const start = at % (text.length + 1);
    return length === 4 ? text : text.slice(0, start) + more + text.slice(start + length);
  });

function progressIn(text: string): CopyProgress | undefined {
  const restic = parseResticLine(text);
  const ofRestic = restic?.kind === 'progress' ? restic.progress : undefined;
  return parseKopiaSnapshot(text) ?? parseKopiaRestore(text) ?? ofRestic;
}

function expectTrue(progress: CopyProgress): void {
  for (const value of Object.values(progress)) {
    expect(Number.isSafeInteger(value)).toBe(true);
    expect(value).toBeGreaterThanOrEqual(0);
  }
  expect(progress.totalBytes ?? progress.bytesDone).toBeGreaterThanOrEqual(progress.bytesDone);
  expect(progress.bytesReused ?? 0).toBeLessThanOrEqual(progress.bytesDone);
  const percent = copyPercent(progress);
  if (percent !== undefined) expect([percent >= 0, percent <= 99]).toEqual([true, true]);
}

it('whole lines are understood', () => {
  fc.assert(
    fc.property(snapshotLine, (text) => parseKopiaSnapshot(text) !== undefined),
    options(200),
  );
  fc.assert(
    fc.property(restoreLine, (text) => parseKopiaRestore(text) !== undefined),
    options(200),
  );
});

it('any lines give numbers that can be true, and what is done never falls', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      let seen: CopyProgress | undefined;
      for (const text of lines) {
        parseKopiaProblem(text);
        const next = progressIn(text);
        if (next === undefined) continue;
        expectTrue(next);
        const after = advance(seen, next);
        expectTrue(after);
        expect(after.bytesDone).toBeGreaterThanOrEqual(seen?.bytesDone ?? 0);
        expect(after.bytesUploaded ?? 0).toBeGreaterThanOrEqual(seen?.bytesUploaded ?? 0);
        expect(after.bytesDone).toBeGreaterThanOrEqual(next.bytesDone);
        seen = after;
      }
    }),
    options(300),
  );
});

it('any numbers are cleaned', () => {
  const any = fc.record({
    ...{ bytesDone: number, totalBytes: number, bytesReused: number, bytesUploaded: number },
    ...{ filesDone: number, secondsLeft: number, problems: number },
  });
  fc.assert(
    fc.property(any, any, (before, next) => {
      expectTrue(cleanProgress(next));
      expectTrue(advance(before, next));
      expect(cleanProgress(cleanProgress(next))).toEqual(cleanProgress(next));
    }),
    options(300),
  );
});

it('output is cut into the same lines wherever it is split', () => {
  const text = fc
    .array(fc.oneof(line, fc.constantFrom('\r', '\n', '\r\n')), { maxLength: 20 })
    .map((parts) => parts.join('\r'));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 })), fc.integer({ min: 1, max: 200 }), (all, cuts, max) => {
      const whole = new LineCutter(max);
      const inOne = [...whole.push(all), whole.end() ?? ''];
      const cutter = new LineCutter(max);
      const lines: string[] = [];
      let at = 0;
      for (const length of [...cuts, all.length]) {
        lines.push(...cutter.push(all.slice(at, at + length)));
        at += length;
      }
      expect([...lines, cutter.end() ?? '']).toEqual(inOne);
      expect(inOne.every((one) => one.length <= max)).toBe(true);
      expect(inOne.filter((one) => one !== '')).toEqual(
        all
          .split(/[\r\n]/)
          .filter((one) => one !== '')
          .map((one) => one.slice(0, max)),
      );
    }),
    options(300),
  );
});

it.each([
  ['0 B', 0],
  ['899 B', 899],
  ['0.9 KB', 900],
  ['1 KB', 1000],
  ['99.9 GB', 99_900_000_000],
  ['1.4 KiB', 1434],
  ['9999 EB', Number.MAX_SAFE_INTEGER],
  ['1.2.3 MB', undefined],
  ['-1 MB', undefined],
  ['1 mb', undefined],
  ['MB', undefined],
])('%s is %s bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});
