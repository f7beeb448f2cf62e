import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Hex } from './sha256.ts';

it('equals the library, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
});

it.each(['é', '€', '😀', '\ud800'])('equals the library for %j', (text) => {
  expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

it.each([0, 55, 56, 63, 64, 65, 119, 120, 128])('equals the library at the edge of a block: %i bytes', (length) => {
  const text = 'x'.repeat(length);
  expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
});
