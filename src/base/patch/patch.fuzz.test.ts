import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { AppError } from '../errors.ts';
import { stringifyJson, type Json, type JsonObject } from '../lossless-json.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import type { MergeType } from './merge-type.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

const KEYS = ['a', 'b', 'name', '__proto__', 'constructor', '$patch', '$retainKeys', '$setElementOrder/b', ''];
const scalar = fc.constantFrom<Json>('x', 'delete', 'replace', 'merge', 1, 9007199254740993n, true, null);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value')).map((object) => ({ ...object })),
  ),
})).value;
const object = fc.dictionary(fc.constantFrom(...KEYS), json).map((made): JsonObject => ({ ...made }));
const nested = fc.tuple(fc.nat(20_000), fc.constantFrom('a', 'b')).map(([depth, key]): JsonObject => {
  let value: JsonObject = {};
  for (let level = 0; level < depth; level += 1) value = { [key]: level % 2 === 0 ? value : [value] };
  return value;
});
const wide = fc.nat(50_000).map((count): JsonObject => ({
  a: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x'])),
  b: Array.from({ length: count }, (_, index) => ({ name: String(index) })),
}));
const target = fc.oneof(
  { weight: 8, arbitrary: object },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: wide },
);

const place = fc.oneof(
  fc.constantFrom('', '/', '/a', '/b', '/a/b', '/a/0', '/a/-', '/b/-1/a', '/b/0', '/__proto__/a', '/a~1b/~', 'a', '//'),
  fc.nat(50_000).map((count) => '/a'.repeat(count)),
);
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'set'),
  path: place,
  from: place,
  value: json,
});
const operations = fc.oneof(
  fc.array(operation, { maxLength: 8 }),
  // No longer than a request may be.
  fc.tuple(operation, fc.nat(3000)).map(([one, count]) => {
    const most = Math.floor(3e6 / (50 + one.path.length + one.from.length));
    return Array<typeof one>(Math.min(count, most)).fill(one);
  }),
);
const list: MergeType = { field: () => ({ strategies: ['merge'], mergeKey: 'name', type: list }) };

it(
  'whatever the patch, it is applied or refused in a bounded time, and the object stays as it was',
  { timeout: 120_000 },
  () => {
    const patch = fc.oneof(
      operations.map((given) => (to: JsonObject) => applyJsonPatch(to, given)),
      fc.oneof(object, nested).map((given) => (to: JsonObject) => applyMergePatch(to, given)),
      fc.oneof(object, nested, wide).map((given) => (to: JsonObject) => applyStrategicPatch(to, given, list)),
    );
    fc.assert(
      fc.property(target, patch, (given, apply) => {
        const before = Object.keys(given).length;
        const { result, ms } = cpuTime(() => {
          try {
            return apply(given);
          } catch (error) {
            if (error instanceof AppError) return undefined;
            throw error;
          }
        });
        expect(ms).toBeLessThan(1000);
        expect(Object.keys(given)).toHaveLength(before);
        // Three megabytes of copies, plus the object and the patch themselves.
        if (result !== undefined && isShallow(result)) expect(stringifyJson(result).length).toBeLessThan(8e6);
      }),
      { numRuns: fuzzRuns(80), endOnFailure: true },
    );
  },
);

/** Whether it can be serialized; nobody can send anything nested deeper either. */
function isShallow(value: Json | undefined, depth = 0): boolean {
  if (depth > 1000) return false;
  return (
    typeof value !== 'object' || value === null || Object.values(value).every((inner) => isShallow(inner, depth + 1))
  );
}
