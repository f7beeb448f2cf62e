import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import type { MergeField, MergeType } from './merge-type.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

/** Recorded answers of upstream are compared in src/pocket/schema, which has the Kubernetes types. */
const type = (fields: Record<string, MergeField>): MergeType => ({ field: (name) => fields[name] });
const port = type({});
const container = type({ ports: { strategies: ['merge'], mergeKey: 'port', type: port } });
const POD = type({
  containers: { strategies: ['merge'], mergeKey: 'name', type: container },
  finalizers: { strategies: ['merge'] },
  tolerations: { strategies: [] },
  strategy: { strategies: ['retainKeys'], type: port },
  selector: { strategies: ['replace'], type: port },
  untyped: { strategies: ['merge'] },
});
const apply = (target: JsonObject, patch: JsonObject): JsonObject => applyStrategicPatch(target, patch, POD);
const a = { name: 'a', image: '1' };
const b = { name: 'b', image: '1' };

describe('a strategic merge patch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['sets, merges and removes fields', { x: 1, m: { p: 1 } }, { x: null, m: { q: 2 } }, { m: { p: 1, q: 2 } }],
    ['drops nulls of what is new', {}, { m: { p: null, q: 1 } }, { m: { q: 1 } }],
    ['puts a value in place of another kind of value', { m: { p: 1 } }, { m: 'text' }, { m: 'text' }],
    ['puts a value in place of null', { m: null }, { m: { q: 1 } }, { m: { q: 1 } }],
    ['replaces a list without a strategy', { tolerations: [1, 2] }, { tolerations: [3] }, { tolerations: [3] }],
    ['replaces a map that says so', { selector: { x: 1 } }, { selector: { y: 1 } }, { selector: { y: 1 } }],
    ['merges a list of maps by key', { containers: [a] }, { containers: [b] }, { containers: [b, a] }],
    [
      'changes an element in its place',
      { containers: [a, b] },
      { containers: [{ name: 'b', image: '2' }] },
      { containers: [a, { name: 'b', image: '2' }] },
    ],
    [
      'merges a list of scalars as a set',
      { finalizers: ['x', 'y'] },
      { finalizers: ['z', 'x'] },
      { finalizers: ['z', 'x', 'y'] },
    ],
    ['leaves two empty lists', { finalizers: [] }, { finalizers: [] }, { finalizers: [] }],
    [
      'deletes an element',
      { containers: [a, b] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [b] },
    ],
    [
      'replaces a list by directive',
      { containers: [a] },
      { containers: [{ $patch: 'replace' }, b] },
      { containers: [b] },
    ],
    [
      'leaves directives out of what is new',
      {},
      { containers: [{ name: 'x', $patch: 'delete' }, a] },
      { containers: [a] },
    ],
    ['leaves out a new map that is a directive', {}, { m: { $patch: 'delete' } }, {}],
    ['leaves out one inside a new map', {}, { m: { n: { $patch: 'delete' }, q: 1 } }, { m: { q: 1 } }],
    ['leaves directive keys out of what is new', {}, { m: { '$setElementOrder/x': [1], x: [1] } }, { m: { x: [1] } }],
    ['replaces a map by directive', { m: { p: 1 } }, { m: { $patch: 'replace', q: 1 } }, { m: { q: 1 } }],
    ['empties a map by directive', { m: { p: 1 } }, { m: { $patch: 'delete' } }, { m: {} }],
    [
      'keeps the named keys alone',
      { strategy: { p: 1, q: 1 } },
      { strategy: { $retainKeys: ['q', 'r'], r: 2 } },
      { strategy: { q: 1, r: 2 } },
    ],
    ['deletes from a list of scalars', { l: [1, 2, 3] }, { '$deleteFromPrimitiveList/l': [2] }, { l: [1, 3] }],
    ['deletes the list itself', { l: [1] }, { '$deleteFromPrimitiveList/l': null }, {}],
    ['deletes nothing from what is no list', { l: 'x' }, { '$deleteFromPrimitiveList/l': [2] }, { l: 'x' }],
    [
      'merges below a kind it does not know',
      { own: { l: [1], m: { p: 1 } } },
      { own: { l: [2], m: { q: 1 } } },
      { own: { l: [2], m: { p: 1, q: 1 } } },
    ],
  ])('%s', (_name, target, patch, expected) => {
    const before = structuredClone([target, patch]);
    expect(apply(target, patch)).toEqual(expected);
    expect([target, patch]).toEqual(before);
  });

  const order = (keys: Json[], rest: JsonObject = {}): JsonObject => ({ '$setElementOrder/containers': keys, ...rest });
  it.each<[string, JsonObject, JsonObject, Json]>([
    ['puts the elements in order', { containers: [a, b] }, order([{ name: 'b' }, { name: 'a' }]), [b, a]],
    [
      'keeps an element that only the server has in its place',
      { containers: [{ name: 's' }, a] },
      order([{ name: 'a' }, { name: 'b' }], { containers: [b] }),
      [{ name: 's' }, a, b],
    ],
    ['orders a list that is new', {}, order([{ name: 'b' }, { name: 'a' }], { containers: [b, a] }), [b, a]],
    [
      'passes over directives',
      { containers: [a, b] },
      order([{ name: 'b' }], { containers: [{ name: 'a', $patch: 'delete' }] }),
      [b],
    ],
    ['leaves out fields that are undefined', {}, order([{ name: 'a' }], { containers: [{ ...a, x: undefined }] }), [a]],
    ['puts equal elements side by side', { containers: [a, b, a] }, order([{ name: 'b' }, { name: 'a' }]), [b, a, a]],
    ['asks for nothing when it is empty', { containers: [a] }, order([], { containers: [b] }), [b, a]],
  ])('with an order %s', (_name, target, patch, expected) => {
    expect(apply(target, patch)).toEqual({ containers: expected });
  });

  it('does nothing with an order for a list that nobody has, and orders scalars too', () => {
    expect(apply({}, order([{ name: 'a' }]))).toEqual({});
    expect(apply({ containers: [a] }, { '$setElementOrder/containers': undefined })).toEqual({ containers: [a] });
    const patch = { '$setElementOrder/finalizers': ['y', 'x'], finalizers: ['y'] };
    expect(apply({ finalizers: ['x'] }, patch)).toEqual({ finalizers: ['y', 'x'] });
    expect(apply({ own: [1, 2] }, { '$setElementOrder/own': [2, 1] })).toEqual({ own: [2, 1] });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['an unknown directive', {}, { $patch: 'swap' }],
    ['an unknown directive in a list', { containers: [a] }, { containers: [{ name: 'a', $patch: 'swap' }] }],
    ['a directive nobody supports', { containers: [a] }, { containers: [{ name: 'a', $patch: 'merge' }] }],
    ['a null directive', {}, { $patch: null }],
    ['an element without its key', { containers: [a] }, { containers: [{ image: '2' }] }],
    ['an element that is no map', { containers: [a] }, { containers: ['a'] }],
    ['a list of lists', { containers: [a] }, { containers: [['a']] }],
    ['elements of two kinds', { finalizers: ['x'] }, { finalizers: [null] }],
    ['maps without a merge key', { untyped: [{ x: 1 }] }, { untyped: [{ x: 2 }] }],
    ['keys to retain that are no list', { strategy: {} }, { strategy: { $retainKeys: 'x' } }],
    ['a key that is not retained', { strategy: {} }, { strategy: { $retainKeys: ['x'], y: 1 } }],
    ['an order that is no list', { containers: [a] }, { '$setElementOrder/containers': 'a' }],
    ['an element beside its order', { containers: [a] }, order([{ name: 'a' }], { containers: [b] })],
    [
      'a delete beside an element without its key',
      { containers: [{}] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
    ],
    ['an order of scalars for maps alone', { containers: [a] }, order(['a'])],
    ['an order of scalars for maps', { containers: [a] }, order(['a'], { containers: [a] })],
  ])('refuses %s', (_name, target, patch) => {
    expect(() => apply(target, patch)).toThrow(AppError);
  });
});
