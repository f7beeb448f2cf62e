import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { Draft } from './draft.ts';
import { applyJsonPatch, applyOperation, parseOperation, type JsonPatchOperation } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

function* changes(draft: Draft, operations: readonly JsonPatchOperation[], merge: JsonObject): Generator<undefined> {
  for (const operation of operations) {
    applyOperation(draft, parseOperation(operation));
    yield;
  }
  draft.merge(merge);
}

/** Whether the changes were kept. */
function attempt(draft: Draft, steps: Iterable<undefined>): boolean {
  try {
    Array.from(draft.attempt(steps));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return false;
  }
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), json) as fc.Arbitrary<JsonObject>;
const place = fc.constantFrom('', '/a', '/a/b', '/a/0', '/a/-', '/b/-1/a', '/b/0', '/__proto__/a');
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: place,
  from: place,
  value: json,
}) as fc.Arbitrary<JsonPatchOperation>;
const attempts = fc.array(fc.tuple(fc.array(operation, { maxLength: 4 }), object), { maxLength: 6 });

describe('a draft', () => {
  it('after several attempts is what those that succeeded make, one after the other', () => {
    fc.assert(
      fc.property(object, attempts, (target, tries) => {
        const before = structuredClone({ target, tries });
        const draft = new Draft(target);
        let expected = structuredClone(target);
        for (const [operations, merge] of tries) {
          if (!attempt(draft, changes(draft, operations, merge))) continue;
          expected = applyMergePatch(applyJsonPatch(expected, operations), merge);
        }
        expect(draft.root).toEqual(expected);
        expect({ target, tries }).toEqual(before);
      }),
    );
  });

  it('can be given another root, and takes that back', () => {
    const draft = new Draft({ a: 1 });
    const fails = function* (): Generator<undefined> {
      draft.root = { b: 2 };
      yield;
      throw new AppError('invalid', 'no');
    };
    expect(attempt(draft, fails())).toBe(false);
    expect(draft.root).toEqual({ a: 1 });
  });

  it('copies a large container once, however many changes follow', { timeout: 10_000 }, () => {
    const large = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key-${index}`, '']));
    const draft = new Draft({ data: large });
    for (let index = 0; index < 5000; index += 1) {
      attempt(draft, changes(draft, [{ op: 'add', path: '/data/x', value: index }], { data: { y: index } }));
      attempt(draft, changes(draft, [{ op: 'remove', path: '/data/none' }], {}));
    }
    expect(draft.root['data']).toMatchObject({ x: 4999, y: 4999 });
    expect(Object.keys(large)).toHaveLength(100_000);
  });

  it('does not grow without end, whatever is copied into it', () => {
    const draft = new Draft({ a: ['x'.repeat(1000)] });
    const double: JsonPatchOperation[] = [{ op: 'copy', from: '/a', path: '/a/-' }];
    const kept = Array.from({ length: 40 }, () => attempt(draft, changes(draft, double, {})));
    expect(kept.filter(Boolean)).toHaveLength(11);
    expect(JSON.stringify(draft.root).length).toBeLessThan(4 * 1024 * 1024);
  });

  it('copies no more than fits of what is nested in what is too large', () => {
    const draft = new Draft({ a: [['x'.repeat(4_000_000)], [{ b: undefined }]] });
    expect(attempt(draft, changes(draft, [{ op: 'copy', from: '/a', path: '/b' }], {}))).toBe(false);
    expect(draft.root).toHaveProperty('a');
    expect(draft.root).not.toHaveProperty('b');
  });
});
