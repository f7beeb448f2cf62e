import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';

const NAMES = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const values = (...more: Json[]): fc.Arbitrary<Json> =>
  fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>('text', 1, 9007199254740993n, true, ...more),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(NAMES, tie('value')).map((object) => ({ ...object })),
    ),
  })).value;
const objectOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(NAMES, value).map((made): JsonObject => ({ ...made }));
const deep = (): JsonObject => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject;

describe('applying a merge patch', () => {
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: 'b' }, { a: undefined }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: { b: 'c' } }, { a: ['d'] }, { a: ['d'] }],
    [{ a: 'b' }, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{}, { a: [{ b: null, c: undefined, d: 1 }, null] }, { a: [{ d: 1 }, null] }],
    [
      { a: { b: 1, c: 2 }, d: [1] },
      { a: { b: null, e: { f: null, g: 1 } }, d: [2] },
      { a: { c: 2, e: { g: 1 } }, d: [2] },
    ],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(applyMergePatch(target, patch)).toStrictEqual(result);
  });

  it('twice is applying it once, and leaves the target as it was', () => {
    // Go drops nulls inside lists only where the list is new, so the patch's lists have none.
    const patches = objectOf(fc.oneof(values(), fc.constant(null), objectOf(fc.constantFrom<Json>(1, 'text', null))));
    fc.assert(
      fc.property(objectOf(values(null)), patches, (target, patch) => {
        const before = structuredClone([target, patch]);
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect([target, patch]).toEqual(before);
      }),
    );
  });

  it('takes __proto__ for a name', () => {
    const patched = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('refuses what is nested too deep', () => {
    expect(() => applyMergePatch(deep(), deep())).toThrow(AppError);
    expect(() => applyMergePatch({}, deep())).toThrow(AppError);
  });
});

describe('making a merge patch', () => {
  it('from two objects makes the one of the other, and is none for equal ones', () => {
    const object = objectOf(values());
    fc.assert(
      fc.property(object, object, (from, to) => {
        const before = structuredClone(from);
        const patch = createMergePatch(from, to);
        expect(patch === undefined ? from : applyMergePatch(from, patch)).toEqual(to);
        expect(from).toEqual(before);
        expect(createMergePatch(to, structuredClone(to))).toBeUndefined();
      }),
    );
  });

  it.each<[JsonObject, JsonObject, JsonObject | undefined]>([
    [{ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1, c: 4 }, d: 3 }, { a: { c: 4 } }],
    [{ a: { b: 1 } }, { a: { b: undefined } }, { a: { b: null } }],
    [{ a: undefined }, {}, undefined],
    [{}, { a: undefined }, undefined],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
  ])('from %j to %j names only what differs: %j', (from, to, patch) => {
    expect(createMergePatch(from, to)).toStrictEqual(patch);
  });

  it('refuses what is nested too deep', () => {
    expect(() => createMergePatch(deep(), deep())).toThrow(AppError);
  });
});
