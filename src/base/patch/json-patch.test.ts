import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { parseJson, type Json, type JsonObject } from '../lossless-json.ts';
import { applyJsonPatch, type JsonPatchOperation } from './json-patch.ts';

/** Recorded behaviour of Go's evanphx/json-patch, which Kubernetes and Velero use. */
interface Recorded {
  target: JsonObject;
  patch: JsonPatchOperation[];
  object?: JsonObject;
  error?: true;
}
const recorded = readFileSync(join(import.meta.dirname, '../../../test/fixtures/pocket/json-patches.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseJson(line) as Recorded);

function outcome(apply: () => JsonObject): Omit<Recorded, 'target' | 'patch'> {
  try {
    return { object: apply() };
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return { error: true };
  }
}

const document: JsonObject = { a: { b: [1, 2], 'c/d': 'x', 'e~f': 'y' } };
const deep = (): JsonObject => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject;

describe('a patch that fits', () => {
  it.each<[string, JsonPatchOperation, JsonObject]>([
    ['add', { op: 'add', path: '/a/b/1', value: 9 }, { a: { b: [1, 9, 2], 'c/d': 'x', 'e~f': 'y' } }],
    ['add nothing', { op: 'add', path: '/z' }, { ...document, z: null }],
    ['append', { op: 'add', path: '/a/b/-', value: 9 }, { a: { b: [1, 2, 9], 'c/d': 'x', 'e~f': 'y' } }],
    ['remove', { op: 'remove', path: '/a/b' }, { a: { 'c/d': 'x', 'e~f': 'y' } }],
    ['remove the last', { op: 'remove', path: '/a/b/-1' }, { a: { b: [1], 'c/d': 'x', 'e~f': 'y' } }],
    ['replace escaped', { op: 'replace', path: '/a/c~1d', value: 'z' }, { a: { b: [1, 2], 'c/d': 'z', 'e~f': 'y' } }],
    ['replace in a list', { op: 'replace', path: '/a/b/0', value: 0 }, { a: { b: [0, 2], 'c/d': 'x', 'e~f': 'y' } }],
    ['replace everything', { op: 'replace', path: '', value: { z: 1 } }, { z: 1 }],
    ['move', { op: 'move', from: '/a/b/0', path: '/z' }, { a: { b: [2], 'c/d': 'x', 'e~f': 'y' }, z: 1 }],
    ['copy', { op: 'copy', from: '/a/e~0f', path: '/z' }, { ...document, z: 'y' }],
    ['test', { op: 'test', path: '/a/b', value: [1, 2] }, document],
    ['test the whole', { op: 'test', path: '', value: structuredClone(document) }, document],
    ['test for nothing', { op: 'test', path: '/a/x' }, document],
  ])('%s', (_, operation, result) => {
    expect(applyJsonPatch(document, [operation])).toEqual(result);
  });

  it('writes into lists of objects', () => {
    const target: JsonObject = { list: [{ a: 1 }, { a: 2 }] };
    const patch: JsonPatchOperation[] = [
      { op: 'replace', path: '/list/1/a', value: 3 },
      { op: 'add', path: '/list/1/b', value: 4 },
    ];
    expect(applyJsonPatch(target, patch)).toEqual({ list: [{ a: 1 }, { a: 3, b: 4 }] });
    expect(target).toEqual({ list: [{ a: 1 }, { a: 2 }] });
  });

  it('does not change a copy through its original', () => {
    const patch: JsonPatchOperation[] = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/a/y', value: 2 },
    ];
    expect(applyJsonPatch({ a: { of: undefined } }, patch)).toEqual({ a: { x: 1, y: 2 }, b: {}, c: { x: 1 } });
  });
});

it('gives what Go gives', () => {
  expect(recorded.length).toBeGreaterThan(50);
  for (const { target, patch, ...result } of recorded) {
    const before = structuredClone({ target, patch });
    expect({ target, patch, ...outcome(() => applyJsonPatch(target, patch)) }).toEqual({ ...before, ...result });
  }
});

describe('a patch that does not fit', () => {
  it.each<[JsonObject, RegExp]>([
    [{ op: 'remove', path: '/x' }, /nonexistent key: "\/x"/],
    [{ op: 'add', path: '/a/b/7', value: 1 }, /"\/a\/b\/7": unable to access invalid index: 7/],
    [{ op: 'add', path: '/a/b/x', value: 1 }, /invalid index: x/],
    [{ op: 'remove', path: '/a/b/-3' }, /invalid index: -3/],
    [{ op: 'add', path: '/a/c~1d/x', value: 1 }, /missing path: "\/a\/c~1d\/x"/],
    [{ op: 'add', path: '', value: 1 }, /missing path: ""/],
    [{ op: 'move', from: '/x', path: '/y' }, /nonexistent key: "\/x"/],
    [{ op: 'move', path: '/y' }, /move operation failed to decode from/],
    [{ op: 'copy', from: '/x/y', path: '/y' }, /missing path: "\/x\/y"/],
    [{ op: 'replace', path: 'a', value: 1 }, /missing path: "a"/],
    [{ op: 'replace', path: '', value: 1 }, /must be an object/],
    [{ op: 'set', path: '/a' }, /Unexpected kind: set/],
  ])('%j', (operation, message) => {
    const apply = (): JsonObject => applyJsonPatch(document, [operation]);
    expect(apply).toThrow(expect.objectContaining({ code: 'invalid', details: undefined }));
    expect(apply).toThrow(message);
  });

  it.each<[string, Json]>([
    ['/a/b/0', 2],
    ['/a/b/2', null],
    ['/a/b/x', 1],
    ['/a/x', 1],
    ['/a/constructor', {}],
    ['/x/y', null],
    ['', {}],
  ])('because its test of %s for %j fails, is told from others', (path, value) => {
    const patch = [
      { op: 'remove', path: '/a/e~0f' },
      { op: 'test', path, value },
    ];
    expect(() => applyJsonPatch(document, patch)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { failedTest: true } }),
    );
  });
});

describe('a patch that is wrong', () => {
  it.each([{}, 'x', null, [1], [null], [[]], [{ op: 'add' }], [{ path: '/a' }], [{ op: 'move', path: '/a', from: 1 }]])(
    'because it is malformed: %j',
    (patch) => {
      expect(() => applyJsonPatch({}, patch)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it('because there is no end to it', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }));
    expect(() => applyJsonPatch({ a: 1 }, many)).toThrow(expect.objectContaining({ code: 'tooLarge' }));
    const doubling = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => applyJsonPatch({ a: ['x'.repeat(1000)] }, doubling)).toThrow(/accumulated size/);
    const test = { op: 'test', path: '', value: deep() };
    expect(() => applyJsonPatch(deep(), [test])).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('every patch', () => {
  it('takes __proto__ for a name', () => {
    const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    for (const path of ['/__proto__/x', '/constructor/x']) {
      expect(() => applyJsonPatch({}, [{ op: 'add', path, value: 1 }])).toThrow(AppError);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('leaves its target as it was, and throws only AppErrors', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
    const object = fc.dictionary(
      fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.string()),
      json,
    ) as fc.Arbitrary<JsonObject>;
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: fc.constantFrom('', '/', '/a', '/a/b', '/a/0', '/a/-', '/b/1/a', '/__proto__/a'),
      from: fc.constantFrom('/a', '/b', '/a/0', ''),
      value: json,
    });
    fc.assert(
      fc.property(object, fc.array(operation, { maxLength: 5 }), (target, operations) => {
        const before = JSON.stringify([target, operations]);
        const { object: patched } = outcome(() => applyJsonPatch(target, operations));
        expect(JSON.stringify([target, operations])).toBe(before);
        expect(Array.isArray(patched)).toBe(false);
      }),
    );
  });
});
