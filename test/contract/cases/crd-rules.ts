import type { Case, CaseGroup } from '../case.ts';
import { until } from '../eventual.ts';
import { ask, pick } from './objects.ts';

type Fields = Record<string, unknown>;

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'rules.contract.example.com';
const object = (properties: Fields) => ({ type: 'object', properties });
const version = (name: string, schema: Fields, fields: Fields = {}) => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  ...fields,
});
const definition = (group: string, spec: Fields) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, ...spec },
});

const refused = (name: string, spec: Fields, group = GROUP): Case =>
  ask(name, async ({ api }) => {
    const answer = await api.post(CRDS, definition(group, spec), { query: { dryRun: 'All' } });
    const { message, details } = answer.body as { message?: string; details?: unknown };
    return { status: answer.status, message, details };
  });
const schema = (name: string, property: Fields): Case =>
  refused(name, { versions: [version('v1', object({ a: property }))] });
const plain = { type: 'object' };

/** Mistakes in CustomResourceDefinitions, and what versions do. */
export const crdRules: CaseGroup = {
  group: 'crd-rules',
  cases: [
    schema('a type that is none', { type: 'foo' }),
    schema('a list of anything', { type: 'array' }),
    schema('a list without doubles', { type: 'array', uniqueItems: true, items: { type: 'string' } }),
    schema('a reference', { $ref: '#/x' }),
    schema('fields and any others', { ...object({ b: { type: 'string' } }), additionalProperties: { type: 'string' } }),
    refused('metadata of its own', { versions: [version('v1', object({ metadata: object({ labels: plain }) }))] }),
    refused('a column without a dot', {
      versions: [version('v1', plain, { additionalPrinterColumns: [{ name: 'x', type: 'string', jsonPath: 'a' }] })],
    }),
    refused('a column of an unknown type', {
      versions: [version('v1', plain, { additionalPrinterColumns: [{ name: 'x', type: 'foo', jsonPath: '.a' }] })],
    }),
    refused('a scale from the wrong place', {
      versions: [
        version('v1', plain, { subresources: { scale: { specReplicasPath: 'spec.x', statusReplicasPath: '.foo.x' } } }),
      ],
    }),
    refused('a conversion that is none', { versions: [version('v1', plain)], conversion: { strategy: 'X' } }),
    refused('a short name that is none', {
      versions: [version('v1', plain)],
      names: { plural: 'things', kind: 'Thing', shortNames: ['A B'] },
    }),
    refused('fields kept as in the old days', { versions: [version('v1', plain)], preserveUnknownFields: true }),
    refused('a group of Kubernetes', { versions: [version('v1', plain)] }, 'contract.k8s.io'),
    ask('an old version warns, and stores what the new one has', async ({ api, namespace }) => {
      const group = 'old.contract.example.com';
      const fields = { a: { type: 'string' }, b: { type: 'string' } };
      await api.post(
        CRDS,
        definition(group, {
          versions: [
            version('v1', object({ spec: object({ a: { type: 'string' } }) })),
            version('v1beta1', object({ spec: object(fields) }), { storage: false, deprecated: true }),
            version('v1alpha1', plain, { storage: false, deprecated: true, deprecationWarning: 'no more' }),
          ],
        }),
      );
      const path = (name: string) => `/apis/${group}/${name}/namespaces/${namespace}/things`;
      await until(api, path('v1beta1'), ({ status }) => status === 200);
      const thing = {
        apiVersion: `${group}/v1beta1`,
        kind: 'Thing',
        metadata: { name: 't1' },
        spec: { a: '1', b: '2' },
      };
      const made = await api.post(path('v1beta1'), thing);
      const answers = await Promise.all(['v1', 'v1beta1', 'v1alpha1'].map((name) => api.get(`${path(name)}/t1`)));
      return [made, ...answers].map((answer) => [answer.status, answer.headers.warning, pick(answer, 'spec')]);
    }),
    ask('a scale below nothing', async ({ api, namespace }) => {
      const group = 'scaled.contract.example.com';
      const subresources = { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } };
      const properties = { spec: object({ n: { type: 'integer' } }), status: object({ n: { type: 'integer' } }) };
      await api.post(CRDS, definition(group, { versions: [version('v1', object(properties), { subresources })] }));
      const path = `/apis/${group}/v1/namespaces/${namespace}/things`;
      await until(api, path, ({ status }) => status === 200);
      await api.post(path, { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 't1' }, spec: { n: 1 } });
      return api.patch(`${path}/t1/scale`, 'merge', { spec: { replicas: -1 } });
    }),
  ],
};
