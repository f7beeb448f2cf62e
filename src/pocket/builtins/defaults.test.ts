import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../base/index.ts';
import { pullPolicy } from './defaults/pod.ts';
import { applyBuiltinDefaults, BUILTINS, goTypeOf, type BuiltinType } from './index.ts';

const read = (name: string): Record<string, JsonObject>[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/pocket', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as Record<string, JsonObject>);

function typeOf(object: JsonObject): BuiltinType {
  const apiVersion = object['apiVersion'] as string;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return BUILTINS.find((type) => type.group === group && type.version === version && type.kind === object['kind'])!;
}

describe('applyBuiltinDefaults', () => {
  const recorded = read('defaults.jsonl').map(({ input, output }) => ({ input: input!, output: output! }));

  it.each(
    recorded.map(
      (entry) =>
        [JSON.stringify([entry.input['kind'], (entry.input['metadata'] as JsonObject)['name']]), entry] as const,
    ),
  )('answers %s as the real server', (_name, { input, output }) => {
    const before = structuredClone(input);
    expect(applyBuiltinDefaults(typeOf(input), input)).toEqual(output);
    expect(input).toEqual(before);
  });

  it('leaves what a real server stored as it is', () => {
    for (const { old } of read('updates.jsonl')) expect(applyBuiltinDefaults(typeOf(old!), old!)).toEqual(old);
  });

  it('keeps unknown fields', () => {
    const type = BUILTINS.find(({ kind }) => kind === 'Secret')!;
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', own: 1 }, own: { b: [] } };
    expect(applyBuiltinDefaults(type, object)).toEqual({ ...object, type: 'Opaque' });
  });
});

describe('pullPolicy', () => {
  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.2', 'IfNotPresent'],
    ['reg.io:5000/a/b', 'Always'],
    ['reg.io:5000/a/b:v1', 'IfNotPresent'],
    [`a@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    ['', 'IfNotPresent'],
    [`${'a-'.repeat(400)}!`, 'IfNotPresent'],
  ])('%s: %s', (image, policy) => {
    expect(pullPolicy(image)).toBe(policy);
  });
});

describe('the table', () => {
  it('names every resource once, with a generated type', () => {
    const urls = BUILTINS.map((type) => `${type.group}/${type.version}/${type.plural}`);
    expect(new Set(urls).size).toBe(urls.length);
    expect(BUILTINS.filter((type) => goTypeOf(type.group, type.version, type.kind) === undefined)).toEqual([]);
  });

  it('has the status subresource where the type has a status to write', () => {
    const withStatus = BUILTINS.filter((type) => type.subresources.some(({ name }) => name === 'status'));
    for (const type of withStatus) {
      expect(goTypeOf(type.group, type.version, type.kind)?.byName.has('status'), type.kind).toBe(true);
    }
  });
});
