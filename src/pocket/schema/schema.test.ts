import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../base/index.ts';
import { applyBuiltinDefaults, BUILTINS, type BuiltinType } from '../builtins/index.ts';
import {
  builtinSchema,
  compileStructural,
  formatFieldErrors,
  validateBuiltin,
  validateCustomMetadata,
  type FieldError,
} from './index.ts';

const read = <T>(name: string): T[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/pocket', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as T);

/** The real server's order follows Go's maps, so that only the set of causes can be compared. */
const sorted = (errors: readonly FieldError[]): string[] =>
  [...new Set(errors.map(({ field, reason, message }) => `${field} ${reason} ${message}`))].sort();

describe('custom resources', () => {
  interface Recorded {
    schema?: JsonObject;
    object: JsonObject;
    causes?: FieldError[];
    result?: JsonObject;
    unknown?: string[];
  }
  const [head, ...cases] = read<Recorded>('custom-resources.jsonl');
  const schema = compileStructural(head!.schema!);

  it(`are pruned, defaulted and refused as the real server does it (${cases.length} recorded)`, () => {
    for (const { object, causes, result, unknown } of cases) {
      const before = structuredClone(object);
      const pruned = schema.prune(object);
      const defaulted = schema.defaults(pruned.object);
      const errors = schema.validate(defaulted);
      expect(sorted(errors)).toEqual(sorted(causes ?? []));
      if (!causes) expect({ result: defaulted, unknown: pruned.unknown }).toEqual({ result, unknown });
      expect(object).toEqual(before);
    }
  });

  it('are not judged again where they did not change', () => {
    const strict = compileStructural({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } },
        },
      },
    });
    const old = { spec: { a: 'long', b: 'x' } };
    expect(strict.validate({ spec: { a: 'long', b: 'y' } }, old)).toEqual([]);
    expect(sorted(strict.validate({ spec: { a: 'longer', b: 'y' } }, old))).toEqual([
      'spec.a FieldValueTooLong Too long: may not be more than 1 byte',
    ]);
  });

  it('keep integers beyond 2^53 and keys named __proto__', () => {
    const open = compileStructural({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const object = parseJson('{"spec":{"n":9007199254740993,"__proto__":{"x":1}}}') as JsonObject;
    expect(open.defaults(open.prune(object).object)).toEqual(object);
    const closed = compileStructural({ type: 'object', properties: { spec: { type: 'object' } } });
    expect(closed.prune(object)).toEqual({ object: { spec: {} }, unknown: ['spec.__proto__', 'spec.n'] });
  });

  it.each([
    ['(?i)^ABC$', 'abc', 0],
    ['^\\p{Lu}+$', 'ÄB', 0],
    // Go refuses it, and then nothing matches.
    ['^(a)\\1$', 'aa', 1],
    // V8 would need years.
    ['^([a-z0-9]+-?)+$', `${'a'.repeat(5000)}!`, 1],
  ])('have patterns in the syntax of Go: %s', (pattern, text, errors) => {
    const schema = compileStructural({ type: 'object', properties: { spec: { type: 'string', pattern } } });
    expect(schema.validate({ spec: text })).toHaveLength(errors);
  });

  it('are named like most built-in kinds', () => {
    expect(validateCustomMetadata({ metadata: { name: 'a.b', namespace: 'x' } }, true)).toEqual([]);
    expect(formatFieldErrors(validateCustomMetadata({ metadata: { namespace: 'x' } }, true))).toBe(
      'metadata.name: Required value: name or generateName is required',
    );
  });
});

function typeOf(object: JsonObject): BuiltinType {
  const apiVersion = object['apiVersion'] as string;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return BUILTINS.find((type) => type.group === group && type.version === version && type.kind === object['kind'])!;
}

describe('built-in kinds', () => {
  it.each(
    read<{ object: JsonObject; causes: FieldError[] }>('refused.jsonl').map(
      (entry) =>
        [`${JSON.stringify(entry.object['kind'])}: ${formatFieldErrors(entry.causes).slice(0, 80)}`, entry] as const,
    ),
  )('refuses %s', (_name, { object, causes }) => {
    const type = typeOf(object);
    const metadata = { ...(type.namespaced ? { namespace: 'default' } : {}), ...(object['metadata'] as JsonObject) };
    const defaulted = applyBuiltinDefaults(type, { ...object, metadata });
    expect(sorted(validateBuiltin(type, defaulted))).toEqual(sorted(causes));
  });

  it.each(
    read<{ kind: string; old: JsonObject; object: JsonObject; causes: FieldError[] }>('updates.jsonl').map(
      (entry) => [entry.kind, entry] as const,
    ),
  )('judges an update of a %s', (_kind, { old, object, causes }) => {
    const errors = validateBuiltin(typeOf(object), applyBuiltinDefaults(typeOf(object), object), old);
    // Upstream appends a diff, and shows templates in its internal type.
    const short = (list: readonly FieldError[]): string[] =>
      list
        .map(
          ({ field, reason, message }) =>
            `${field} ${reason} ${message.replace(/\n[^]*$/, '').replace(/\{.*\}/, '{…}')}`,
        )
        .sort();
    expect(short(errors)).toEqual(short(causes));
  });

  it('finds the definition of a custom resource wrong', () => {
    const type = BUILTINS.find(({ kind }) => kind === 'CustomResourceDefinition')!;
    const openAPIV3Schema = { properties: { a: {}, b: { type: 'array', items: {} } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    const spec = { group: 'y', names: { plural: 'Foos', kind: 'Foo' }, scope: 'X', versions };
    const fields = validateBuiltin(type, { metadata: { name: 'foos.y' }, spec }).map(({ field }) => field);
    expect(fields.sort()).toEqual([
      'spec.group',
      'spec.names.plural',
      'spec.scope',
      'spec.validation.openAPIV3Schema.properties[a].type',
      'spec.validation.openAPIV3Schema.properties[b].items.type',
      'spec.validation.openAPIV3Schema.type',
    ]);
  });
});

describe('builtinSchema', () => {
  const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' })!;
  const pod = builtinSchema({ group: '', version: 'v1', kind: 'Pod' })!;

  it('knows built-in kinds only', () => {
    expect(builtinSchema({ group: 'velero.io', version: 'v1', kind: 'Backup' })).toBeUndefined();
  });

  it('names unknown fields as strict decoding does', () => {
    const spec = { extra: 1, template: { spec: { containers: [{ name: 'a', foo: 1 }] } } };
    expect(deployment.check({ spec }).unknown).toEqual(['spec.extra', 'spec.template.spec.containers[0].foo']);
  });

  it.each<[string, JsonObject, string]>([
    [
      'a string for a number',
      { spec: { replicas: '3' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a fraction for a number',
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a list for an object',
      { spec: [] },
      'json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec',
    ],
    [
      'a number for a name',
      { metadata: { name: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
    ],
    [
      'a number in labels',
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a bad time',
      { metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
  ])('refuses %s', (_name, object, message) => {
    expect(deployment.check(object).typeError).toBe(message);
  });

  it('refuses quantities, and base64 where Go stops reading', () => {
    const container = { name: 'a', resources: { limits: { cpu: 'x' } } };
    expect(pod.check({ spec: { containers: [container] } }).typeError).toMatch(/^quantities must match/);
    const secret = builtinSchema({ group: '', version: 'v1', kind: 'Secret' })!;
    const errorOf = (text: string): string | undefined => secret.check({ data: { a: text } }).typeError;
    expect(['YQ==', 'YWJj', '', 'YW\nJj'].map(errorOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(['Y', 'YWJ', 'ab!c', 'YQ=a', 'YQ==x'].map((text) => errorOf(text)?.slice(-1))).toEqual([
      '0',
      '0',
      '2',
      '3',
      '4',
    ]);
  });
});
