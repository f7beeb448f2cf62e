import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, applyStrategicPatch, parseJson, type Json, type JsonObject } from '../../base/index.ts';
import { builtinSchema } from './index.ts';

interface Recorded {
  target: JsonObject;
  patch: JsonObject;
  object?: JsonObject;
  error?: true;
}
const recorded = (name: string): Recorded[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/pocket', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as Recorded);

const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' })!.merge;

/** Upstream leaves directives of new values in the object and drops them as unknown fields. */
function withoutDirectives(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key === '$patch' || !key.startsWith('$'));
  return Object.fromEntries(kept.map(([key, item = null]) => [key, withoutDirectives(item)]));
}

function outcome(apply: () => JsonObject): { object: Json } | { error: true } {
  try {
    return { object: withoutDirectives(apply()) };
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return { error: true };
  }
}

const want = ({ object, error }: Recorded): unknown => (error ? { error } : { object: withoutDirectives(object!) });
const deep = (levels: number): JsonObject => {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(
  fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.string()),
  json,
) as fc.Arbitrary<JsonObject>;

describe('strategic merge patch', () => {
  it('gives what upstream gives', () => {
    for (const entry of recorded('strategic-patches.jsonl')) {
      const before = structuredClone(entry);
      expect(outcome(() => applyStrategicPatch(entry.target, entry.patch, deployment))).toEqual(want(entry));
      expect(entry).toEqual(before);
    }
  });

  it('changes one container as kubectl set image asks', () => {
    const containers = [
      { name: 'a', image: 'x:1' },
      { name: 'b', image: 'y:1' },
    ];
    const patch = {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
            containers: [{ name: 'b', image: 'y:2' }],
          },
        },
      },
    };
    expect(applyStrategicPatch({ spec: { template: { spec: { containers } } } }, patch, deployment)).toEqual({
      spec: { template: { spec: { containers: [containers[0]!, { name: 'b', image: 'y:2' }] } } },
    });
  });

  it('keeps fields it does not know, and merges them like plain objects', () => {
    const patched = applyStrategicPatch(
      { spec: { own: { a: 1, l: [1] } } },
      { spec: { own: { b: 2, l: [2] } } },
      deployment,
    );
    expect(patched).toEqual({ spec: { own: { a: 1, b: 2, l: [2] } } });
  });

  it('merges long lists in reasonable time', () => {
    const env = Array.from({ length: 20_000 }, (_, index) => ({ name: `v${index}`, value: '1' }));
    const spec = (list: JsonObject[]): JsonObject => ({
      spec: { template: { spec: { containers: [{ name: 'a', env: list }] } } },
    });
    const changed = env.map(({ name }) => ({ name, value: '2' }));
    expect(applyStrategicPatch(spec(env), spec(changed), deployment)).toEqual(spec(changed));
  });
});

describe('every patch', () => {
  it('takes __proto__ for a name', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject;
    const patched = applyStrategicPatch({}, hostile, deployment);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('is refused when it is nested too deep', () => {
    const value = deep(5000);
    expect(() => applyStrategicPatch(value, value, deployment)).toThrow(AppError);
  });

  it('never changes its input and throws only AppError', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        outcome(() => applyStrategicPatch(target, patch, deployment));
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });
});
