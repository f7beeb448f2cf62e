import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  isEqual,
  isObject,
  objectAt,
  objectsAt,
  own,
  setOwn,
  textAt,
  textsAt,
  valueAt,
  without,
} from './json-object.ts';
import { parseJson, type Json, type JsonObject } from './lossless-json.ts';

const pod = parseJson(
  '{"metadata":{"name":"a","namespace":"","labels":{"x":"y","n":1,"__proto__":"z"}},"list":[{"a":1},[],null,"t"]}',
) as JsonObject;

describe('what is there', () => {
  it('is read along a path', () => {
    expect(valueAt(pod)).toBe(pod);
    expect(valueAt(pod, 'metadata', 'labels', 'n')).toBe(1);
    expect(objectAt(pod, 'list')).toEqual({});
    expect(Object.keys(objectAt(pod, 'metadata'))).toEqual(['name', 'namespace', 'labels']);
    expect(objectsAt(pod, 'list')).toEqual([{ a: 1 }]);
    expect(textAt(pod, 'metadata', 'name')).toBe('a');
    expect(textsAt(pod, 'metadata', 'labels')).toEqual(parseJson('{"x":"y","__proto__":"z"}'));
  });

  it('is absent where the path breaks, or where the value is of another sort', () => {
    for (const path of [['none'], ['list', '0', 'a'], ['metadata', 'name', 'length'], ['metadata', 'constructor']]) {
      expect(valueAt(pod, ...path)).toBeUndefined();
      expect(objectAt(pod, ...path)).toEqual({});
      expect(objectsAt(pod, ...path)).toEqual([]);
      expect(textAt(pod, ...path)).toBeUndefined();
      expect(textsAt(pod, ...path)).toEqual({});
    }
    expect(textAt(pod, 'metadata', 'namespace')).toBeUndefined();
    expect(textAt(pod, 'metadata', 'labels', 'n')).toBeUndefined();
    expect(valueAt(undefined, 'a')).toBeUndefined();
  });

  it('is an object only when it has keys of its own', () => {
    expect([{}, [], null, 'x', 1, undefined].filter(isObject)).toEqual([{}]);
  });
});

describe('__proto__', () => {
  it('is a key like any other', () => {
    const object: JsonObject = {};
    expect(own(object, '__proto__')).toBeUndefined();
    setOwn(object, '__proto__', { polluted: true });
    setOwn(object, 'a', 1);
    expect(own(object, '__proto__')).toEqual({ polluted: true });
    expect(JSON.stringify(object)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(JSON.stringify(without(object, 'a'))).toBe('{"__proto__":{"polluted":true}}');
  });
});

describe('equality', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

  it('is that of the text, whatever the order of keys', () => {
    const inOrder = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(inOrder);
      if (!isObject(value)) return value;
      const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item!)]));
    };
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(isEqual(a, inOrder(a))).toBe(true);
        expect(isEqual(a, b)).toBe(JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b)));
      }),
    );
  });

  it.each<[Json | undefined, Json | undefined, boolean]>([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { b: 2, a: 1 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: null }, {}, false],
    [null, undefined, false],
    [[], {}, false],
    [{}, [], false],
    [[1, 2], [1], false],
    [[{ a: [1] }], [{ a: [1] }], true],
    [[{ a: [1] }], [{ a: [2] }], false],
    [9007199254740993n, 9007199254740993n, true],
    ['1', 1, false],
    [JSON.parse('{"__proto__":1}') as Json, {}, false],
  ])('of %o and %o is %s', (a, b, expected) => {
    expect(isEqual(a, b)).toBe(expected);
  });

  it('refuses to follow what is nested too deep', () => {
    const deep = (): Json => JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as Json;
    expect(() => isEqual(deep(), deep())).toThrow(/deeper than 1000 levels/);
  });
});
