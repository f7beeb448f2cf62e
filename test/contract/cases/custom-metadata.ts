import type { Answer, Api } from '../api.ts';
import type { CaseGroup } from '../case.ts';
import { until } from '../eventual.ts';
import { ask, pick } from './objects.ts';

const said = ({ status, headers, body }: Answer) => ({
  status,
  warning: headers.warning,
  // The whole body follows, which every server cuts in its own way.
  message: (body as { message?: string }).message?.replace(/(Object 'Kind' is missing).*/s, '$1'),
});

/** Defines gadgets, which look like anything, and returns where they are. */
async function define(api: Api, group: string): Promise<string> {
  const column = (name: string, jsonPath: string) => ({ name, type: 'string', jsonPath });
  await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
          additionalPrinterColumns: [column('Parts', '.parts[*].name'), column('Big', '.big')],
        },
      ],
    },
  });
  await until(api, `/apis/${group}/v1/gadgets`, ({ status }) => status === 200);
  return `/apis/${group}/v1/gadgets`;
}

const gadget = (group: string, metadata: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name: 'g1', ...metadata },
  ...more,
});

/** What a definition says nothing about: the metadata and the identity of custom resources. */
export const customMetadata: CaseGroup = {
  group: 'custom-metadata',
  cases: [
    ask('metadata is judged as everywhere', async ({ api }) => {
      const group = 'meta-a.contract.example.com';
      const path = await define(api, group);
      const bad = [
        { labels: { 'a b': 'c d' } },
        { labels: { a: 1 } },
        { annotations: { 'a b': 'x' } },
        { finalizers: ['BAD x'] },
        { finalizers: 'x' },
        { ownerReferences: [{ kind: 'x' }] },
      ];
      const answers: unknown[] = [];
      for (const metadata of bad) answers.push(said(await api.post(path, gadget(group, metadata))));
      await api.post(path, gadget(group, {}));
      return [...answers, said(await api.patch(`${path}/g1`, 'merge', { metadata: bad[0] }))];
    }),
    ask('metadata has no fields of its own', async ({ api }) => {
      const group = 'meta-b.contract.example.com';
      const path = await define(api, group);
      const strange = gadget(group, { strange: { deep: 1 } });
      const strict = await api.post(path, strange, { query: { fieldValidation: 'Strict' } });
      const created = await api.post(path, strange);
      return [said(strict), said(created), pick(created, 'metadata')];
    }),
    ask('a body says what it is', async ({ api }) => {
      const group = 'meta-c.contract.example.com';
      const path = await define(api, group);
      const { kind: _kind, ...nameless } = gadget(group, {});
      return [
        said(await api.post(path, nameless)),
        said(await api.post(path, { ...gadget(group, {}), kind: 'Other' })),
        said(await api.post(path, { ...gadget(group, {}), apiVersion: `${group}/v2` })),
      ];
    }),
    ask('columns show the first of what they find', async ({ api }) => {
      const group = 'meta-d.contract.example.com';
      const path = await define(api, group);
      const body = JSON.stringify(gadget(group, {}, { parts: [{ name: 'a' }, { name: 'b' }] }));
      await api.post(path, body.replace(/}$/, ',"big":9007199254740993}'));
      const answer = await api.get(path, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
      const columns = pick(answer, 'columnDefinitions') as { name: string; description: string }[];
      const rows = pick(answer, 'rows') as { cells: unknown[] }[];
      return { columns: columns.slice(1).map(({ description }) => description), cells: rows[0]?.cells.slice(1) };
    }),
    ask('parts are listed in order', async ({ api }) => {
      const group = 'meta-e.contract.example.com';
      await define(api, group);
      // Told a moment after it is served.
      const answer = await until(api, `/apis/${group}/v1`, ({ status }) => status === 200);
      const resources = pick(answer, 'resources') as { name: string }[];
      return resources.map(({ name }) => name);
    }),
  ],
};
