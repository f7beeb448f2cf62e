import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import { BUILTINS } from '../builtins/index.ts';
import { createOpenApi, type OpenApiResource } from './index.ts';

interface Document {
  paths: Record<
    string,
    Record<string, { parameters?: { name: string }[]; 'x-kubernetes-group-version-kind'?: unknown }>
  >;
  components: { schemas: Record<string, JsonObject> };
}

const backup: OpenApiResource = {
  group: 'velero.io',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
  verbs: ['create', 'get', 'list', 'patch', 'update', 'delete'],
  subresources: [],
  schema: { type: 'object', properties: { spec: { type: 'object', description: 'What to back up.' } } },
};

const paths = (index: string): Record<string, { serverRelativeURL: string }> =>
  (JSON.parse(index) as { paths: Record<string, { serverRelativeURL: string }> }).paths;
const parse = (body: string): Document => JSON.parse(body) as Document;

describe('createOpenApi', () => {
  const api = createOpenApi([...BUILTINS, backup]);

  it('lists a document per group and version, by hash', () => {
    const index = paths(api.index());
    expect(Object.keys(index)).toContain('api/v1');
    const document = api.document('apis/apps/v1')!;
    expect(index['apis/apps/v1']?.serverRelativeURL).toBe(`/openapi/v3/apis/apps/v1?hash=${document.hash}`);
    expect(api.document('apis/none/v1')).toBeUndefined();
  });

  it('refers only to schemas that are there', () => {
    for (const path of Object.keys(paths(api.index()))) {
      const { body } = api.document(path)!;
      const { schemas } = parse(body).components;
      const names = [...body.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!);
      expect(names.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
    }
  });

  it('offers fieldValidation on every write, which is what kubectl looks for', () => {
    const document = parse(api.document('apis/apps/v1')!.body);
    const object = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!;
    const collection = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments']!;
    for (const operation of [object['put']!, object['patch']!, collection['post']!]) {
      expect(operation.parameters?.map(({ name }) => name)).toContain('fieldValidation');
      expect(operation['x-kubernetes-group-version-kind']).toEqual({
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
      });
    }
  });

  it('describes built-in types with their merge keys and required fields', () => {
    const { schemas } = parse(api.document('api/v1')!.body).components;
    expect(schemas['io.k8s.api.core.v1.Container']).toMatchObject({
      required: ['name'],
      properties: { env: { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-list-map-keys': ['name'] } },
    });
    expect(schemas['io.k8s.api.core.v1.Pod']).toHaveProperty('x-kubernetes-group-version-kind');
  });

  it('describes custom kinds with their own words', () => {
    const { schemas } = parse(api.document('apis/velero.io/v1')!.body).components;
    expect(schemas['io.velero.v1.Backup']).toMatchObject({
      properties: { spec: { description: 'What to back up.' }, metadata: { allOf: [{}] } },
      'x-kubernetes-group-version-kind': [{ group: 'velero.io', version: 'v1', kind: 'Backup' }],
    });
  });

  it('takes over what did not change', () => {
    const before = api.document('api/v1')!;
    const after = createOpenApi([...BUILTINS, { ...backup, schema: { type: 'object' } }], api);
    expect(after.document('api/v1')).toEqual(before);
    expect(after.document('apis/velero.io/v1')!.hash).not.toBe(api.document('apis/velero.io/v1')!.hash);
  });
});
