import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { SortedLines } from './sorted-lines.ts';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'headway-sorted-'));
});
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

it('gives all lines in their order, however few it may hold in memory', async () => {
  const line = fc.string({ minLength: 1 }).filter((text) => !/[\n\r]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 60 }), async (lines, held) => {
      using sorted = new SortedLines(join(place, 'list'), held);
      for (const each of lines) sorted.add(each);
      const all: string[] = [];
      for await (const each of sorted.all()) all.push(...each);
      expect(all).toEqual(lines.toSorted());
    }),
    { numRuns: fuzzRuns(50) },
  );
  expect(existsSync(join(place, 'list'))).toBe(false);
});

it('leaves nothing behind when nobody reads to the end', async () => {
  {
    using sorted = new SortedLines(join(place, 'list'), 2000);
    for (let at = 0; at < 2000; at += 1) sorted.add(`line ${at}`);
    for await (const [first] of sorted.all()) {
      expect(first).toBe('line 0');
      break;
    }
  }
  expect(existsSync(join(place, 'list'))).toBe(false);
});
