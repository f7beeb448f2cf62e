import { eventually } from '../../eventually.ts';
import type { Api } from '../api.ts';
import type { CaseGroup } from '../case.ts';
import { gone, until } from '../eventual.ts';
import { ask, pick } from './objects.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', format: 'int64', minimum: 1, maximum: 10 },
        mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe' },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
        when: { type: 'string', format: 'date-time', nullable: true },
        port: { 'x-kubernetes-int-or-string': true },
        list: { type: 'array', maxItems: 2, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
          items: {
            type: 'object',
            required: ['key'],
            properties: { key: { type: 'string' }, n: { type: 'integer', default: 3 } },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        replicas: { type: 'integer' },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
  },
};

function definition(group: string, subresources: Record<string, unknown> = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: SCHEMA },
          subresources,
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
            { name: 'Mode', type: 'string', jsonPath: '.spec.mode', priority: 1 },
            { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  };
}

/** Defines the kind and waits until it is served; a fresh group per case, because definitions are cluster-wide. */
async function define(
  api: Api,
  group: string,
  subresources?: Record<string, unknown>,
): Promise<(namespace: string) => string> {
  await api.post(CRDS, definition(group, subresources));
  await until(api, `${CRDS}/widgets.${group}`, ({ body }) => isEstablished(body));
  await until(api, `/apis/${group}/v1/widgets`, ({ status }) => status === 200);
  return (namespace) => `/apis/${group}/v1/namespaces/${namespace}/widgets`;
}
function isEstablished(body: unknown): boolean {
  const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true;
}

const widget = (group: string, name: string, spec: Record<string, unknown> = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: { size: 3, ...spec },
});

const BAD: Record<string, Record<string, unknown>> = {
  maximum: { size: 11 },
  minimum: { size: 0 },
  integer: { size: 'x' },
  fraction: { size: 1.5 },
  enum: { mode: 'slow' },
  pattern: { name: 'ABC' },
  'max length': { name: 'abcdefg' },
  'date-time': { when: 'yesterday' },
  'max items': { list: ['a', 'b', 'c'] },
  'set with duplicates': { list: ['a', 'a'] },
  'map with duplicates': { keyed: [{ key: 'a' }, { key: 'a' }] },
  'null where it may not be': { name: null },
  'int or string': { port: true },
  'map value': { labels: { a: 1 } },
};

/** Custom resources: definition, pruning, defaults, validation, subresources. */
export const crd: CaseGroup = {
  group: 'crd',
  cases: [
    ask('definition and its conditions', async ({ api }) => {
      const created = await api.post(CRDS, definition('a.contract.example.com'));
      const settled = await until(api, `${CRDS}/widgets.a.contract.example.com`, ({ body }) => isEstablished(body));
      return { created: { ...(created.body as object), status: undefined }, status: pick(settled, 'status') };
    }),
    ask('create prunes and defaults', async ({ api, namespace }) => {
      const widgets = await define(api, 'b.contract.example.com');
      const answer = await api.post(widgets(namespace), {
        ...widget('b.contract.example.com', 'w1', {
          extra: { deep: true },
          free: { kept: { a: 1 } },
          keyed: [{ key: 'a', surprise: 1 }],
          when: null,
          port: 'http',
        }),
        status: { phase: 'New', unknown: 1 },
        surprise: true,
      });
      return { answer, read: await api.get(`${widgets(namespace)}/w1`) };
    }),
    ask('validation', async ({ api, namespace }) => {
      const widgets = await define(api, 'c.contract.example.com');
      const seen: Record<string, unknown> = {};
      for (const [name, spec] of Object.entries(BAD)) {
        const { status, body } = await api.post(widgets(namespace), widget('c.contract.example.com', 'w1', spec));
        seen[name] = status === 201 ? pick(await api.delete(`${widgets(namespace)}/w1`), 'status') : { status, body };
      }
      const { spec: _, ...withoutSpec } = widget('c.contract.example.com', 'w1');
      seen['required object'] = await api.post(widgets(namespace), withoutSpec);
      return seen;
    }),
    ask('several mistakes at once', async ({ api, namespace }) => {
      const widgets = await define(api, 'o.contract.example.com');
      const bad = widget('o.contract.example.com', 'w1', { size: 99, mode: 'slow', name: 'ABC' });
      const answer = await api.post(widgets(namespace), bad);
      const causes = pick(answer, 'details', 'causes') as { field: string }[];
      // The real server walks a Go map, so the order is another one every time.
      return { status: answer.status, causes: causes.toSorted((a, b) => (a.field < b.field ? -1 : 1)) };
    }),
    ask('unknown fields when strict', async ({ api, namespace }) => {
      const widgets = await define(api, 'd.contract.example.com');
      return api.post(widgets(namespace), widget('d.contract.example.com', 'w1', { extra: 1, other: { a: 1 } }), {
        query: { fieldValidation: 'Strict' },
      });
    }),
    ask('without a status subresource', async ({ api, namespace }) => {
      const widgets = await define(api, 'e.contract.example.com');
      const created = await api.post(widgets(namespace), {
        ...widget('e.contract.example.com', 'w1'),
        status: { phase: 'Done' },
      });
      const patched = await api.patch(`${widgets(namespace)}/w1`, 'merge', { status: { phase: 'Redone' } });
      return {
        created: pick(created, 'status'),
        patched: [pick(patched, 'status'), pick(patched, 'metadata', 'generation')],
        subresource: (await api.patch(`${widgets(namespace)}/w1/status`, 'merge', { status: {} })).status,
      };
    }),
    ask('with status and scale subresources', async ({ api, namespace }) => {
      const widgets = await define(api, 'f.contract.example.com', {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      });
      const path = `${widgets(namespace)}/w1`;
      const created = await api.post(widgets(namespace), {
        ...widget('f.contract.example.com', 'w1', { replicas: 2 }),
        status: { phase: 'Done' },
      });
      const ignored = await api.patch(path, 'merge', { status: { phase: 'No' } });
      const status = await api.patch(`${path}/status`, 'merge', {
        spec: { size: 9 },
        status: { phase: 'Yes', replicas: 2 },
      });
      const scaled = await api.patch(`${path}/scale`, 'merge', { spec: { replicas: 5 } });
      return {
        created: pick(created, 'status'),
        ignored: pick(ignored, 'status'),
        status: [pick(status, 'status'), pick(status, 'spec', 'size'), pick(status, 'metadata', 'generation')],
        scaled: { ...(scaled.body as object) },
        after: pick(await api.get(path), 'spec', 'replicas'),
      };
    }),
    ask('replace wants a resourceVersion', async ({ api, namespace }) => {
      const widgets = await define(api, 'g.contract.example.com');
      await api.post(widgets(namespace), widget('g.contract.example.com', 'w1'));
      return api.put(`${widgets(namespace)}/w1`, widget('g.contract.example.com', 'w1'));
    }),
    ask('strategic patch is not served', async ({ api, namespace }) => {
      const widgets = await define(api, 'h.contract.example.com');
      await api.post(widgets(namespace), widget('h.contract.example.com', 'w1'));
      return api.patch(`${widgets(namespace)}/w1`, 'strategic-merge', { spec: { size: 4 } });
    }),
    ask('table with printer columns', async ({ api, namespace }) => {
      const widgets = await define(api, 'i.contract.example.com');
      await api.post(widgets(namespace), widget('i.contract.example.com', 'w1'));
      const answer = await api.get(widgets(namespace), {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      });
      const { columnDefinitions, rows } = answer.body as {
        columnDefinitions: Record<string, unknown>[];
        rows: { cells: unknown[]; object: object }[];
      };
      return {
        columns: columnDefinitions.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
        cells: rows.map(({ cells }) => cells.slice(0, 3)),
        object: rows[0]?.object,
      };
    }),
    ask('discovery names it', async ({ api }) => {
      await define(api, 'j.contract.example.com', { status: {} });
      return eventually(
        async () => {
          const answer = await api.get('/apis/j.contract.example.com/v1');
          if (answer.status !== 200) throw new Error('not yet');
          const resources = pick(answer, 'resources') as Record<string, unknown>[];
          return {
            group: await api.get('/apis/j.contract.example.com').then(({ body }) => body),
            resources: resources.map(({ storageVersionHash: _, ...rest }) => rest),
          };
        },
        { withinMs: 15_000 },
      );
    }),
    ask('deleting the definition deletes its objects', async ({ api, namespace }) => {
      const widgets = await define(api, 'k.contract.example.com');
      await api.post(widgets(namespace), widget('k.contract.example.com', 'w1'));
      const answer = await api.delete(`${CRDS}/widgets.k.contract.example.com`);
      await gone(api, `${CRDS}/widgets.k.contract.example.com`);
      const after = await until(api, widgets(namespace), ({ status }) => status === 404);
      return { status: answer.status, after: after.status };
    }),
    ask('two versions', async ({ api, namespace }) => {
      const group = 'l.contract.example.com';
      const both = definition(group);
      const [v1] = both.spec.versions;
      if (v1 === undefined) throw new Error('unreachable');
      both.spec.versions.push({ ...v1, name: 'v2', storage: false });
      await api.post(CRDS, both);
      await until(api, `/apis/${group}/v2/widgets`, ({ status }) => status === 200);
      await api.post(`/apis/${group}/v1/namespaces/${namespace}/widgets`, widget(group, 'w1'));
      const read = await api.get(`/apis/${group}/v2/namespaces/${namespace}/widgets/w1`);
      return { apiVersion: pick(read, 'apiVersion'), spec: pick(read, 'spec') };
    }),
    ask('a definition with mistakes', async ({ api }) => {
      const wrongName = {
        ...definition('m.contract.example.com'),
        metadata: { name: 'gadgets.m.contract.example.com' },
      };
      const twoStored = definition('n.contract.example.com');
      const [v1] = twoStored.spec.versions;
      if (v1 === undefined) throw new Error('unreachable');
      twoStored.spec.versions.push({ ...v1, name: 'v2' });
      return [await api.post(CRDS, wrongName), await api.post(CRDS, twoStored)].map(({ status, body }) => [
        status,
        (body as { reason?: string }).reason,
      ]);
    }),
  ],
};
