import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Lines } from './lines.ts';

function linesOf(pieces: readonly string[]): string[] {
  const told: string[] = [];
  const lines = new Lines((line) => told.push(line));
  for (const piece of pieces) lines.push(Buffer.from(piece));
  lines.end();
  return told;
}

it('cuts what is printed into its lines, wherever the pieces are cut', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\n\n', ' '), { maxLength: 40 });
  fc.assert(
    fc.property(text, (pieces) => {
      const all = pieces.join('');
      const whole = all.endsWith('\n') ? all.slice(0, -1) : all;
      expect(linesOf(pieces)).toEqual(all === '' ? [] : whole.split('\n'));
      expect(linesOf([all])).toEqual(linesOf(pieces));
    }),
  );
});

it('tells a line that does not end in pieces', () => {
  const lengths = (text: string): number[] => linesOf([text]).map(({ length }) => length);
  expect(lengths('x'.repeat(10_000))).toEqual([4096, 4096, 1808]);
  expect(lengths(`${'x'.repeat(4095)}\ny`)).toEqual([4095, 1]);
  expect(lengths(`${'x'.repeat(4096)}\ny`)).toEqual([4096, 1]);
});
