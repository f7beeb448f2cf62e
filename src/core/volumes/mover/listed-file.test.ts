import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { formatListed } from './format.ts';
import { parseListed } from './listed-file.ts';

const FILE = { path: 'a/b', type: 'file', bytes: 5, mode: 0o640, modifiedAt: '2026-11-17T20:48:07.000Z' } as const;

it('is one line whatever the name is, and comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (path) => {
      const line = formatListed({ ...FILE, path });
      expect(line).not.toMatch(/[\n\r\u2028\u2029\u0085]/);
      const back = parseListed(line);
      expect(back).toMatchObject({ type: 'file', bytes: 5 });
      expect(formatListed(back!)).toBe(line);
    }),
    { numRuns: fuzzRuns(50) },
  );
});

it('is sorted by path', () => {
  const paths = ['a', 'a/b', 'a/c', 'b'];
  const lines = paths.toReversed().map((path) => formatListed({ ...FILE, path }));
  expect(lines.toSorted().map((line) => parseListed(line)?.path)).toEqual(paths);
});

it.each(['', '{', 'null', '[]', '{"path":"x"}', JSON.stringify({ ...FILE, bytes: -1 })])(
  'is nothing else: %s',
  (line) => {
    expect(parseListed(line)).toBeUndefined();
  },
);
