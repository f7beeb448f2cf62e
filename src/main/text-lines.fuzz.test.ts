import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../test/any-text.ts';
import { fuzzRuns } from '../../test/fuzz-runs.ts';
import { collect } from '../../test/collect.ts';
import { linesOf } from './text-lines.ts';

async function* inPieces(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    await Promise.resolve();
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

it('reads the same lines from any bytes in any pieces', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    anyText({ maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
    fc.array(fc.constantFrom('\n', 'ä', '🙂', 'log line', '\r\n')).map((all) => new TextEncoder().encode(all.join(''))),
  );
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(bytes, lengths, async (all, each) => {
      const lines = await collect(linesOf(inPieces(all, each)));
      const whole = new TextDecoder().decode(all).split('\n');
      expect(lines).toEqual(whole.at(-1) === '' ? whole.slice(0, -1) : whole);
    }),
    { numRuns: fuzzRuns(500) },
  );
});

/** One line that never ends, in pieces of a network. */
async function* endless(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(1000).fill(120);
  for (;;) {
    await Promise.resolve();
    yield piece;
  }
}

it('refuses a line without an end, in a time that grows with its length alone', async () => {
  const before = process.threadCpuUsage();
  const read = collect(linesOf(endless(), { maxLine: 20_000_000 }));
  await expect(read).rejects.toThrow('more than 20000000 characters');
  const { user } = process.threadCpuUsage(before);
  expect(user / 1000).toBeLessThan(2000);
});
