import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/index.ts';
import { templateHash } from './template-hash.ts';

describe('templateHash', () => {
  it('does not depend on the order of keys, nor on keys without a value', () => {
    expect(templateHash({ a: 1, b: { c: 2, d: 3 } })).toBe(templateHash({ b: { d: 3, c: 2 }, a: 1, e: undefined }));
  });

  it('differs by content and by the number of collisions', () => {
    const hashes = [
      templateHash({ a: 1 }),
      templateHash({ a: 2 }),
      templateHash({ a: 1 }, 1),
      templateHash({ a: 1 }, 2),
    ];
    expect(new Set(hashes).size).toBe(4);
  });

  it('is a label value and part of a name for every template', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(templateHash(value as Json)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
      }),
    );
  });
});
