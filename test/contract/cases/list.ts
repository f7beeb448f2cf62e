import type { CaseGroup, Stage } from '../case.ts';
import { ask, configMap, configMaps, pick } from './objects.ts';

async function five({ api, namespace }: Stage): Promise<string> {
  for (const n of [1, 2, 3, 4, 5]) {
    await api.post(
      configMaps(namespace),
      configMap(`m${n}`, { labels: { n: String(n), parity: n % 2 === 0 ? 'even' : 'odd' } }),
    );
  }
  return configMaps(namespace);
}
const names = (answer: { body: unknown }) =>
  (pick(answer, 'items') as { metadata: { name: string } }[])
    .map((item) => item.metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt');

const SELECTORS = [
  'n=1',
  'n==2',
  'n!=3',
  'n in (1,4)',
  'n notin (1,4),parity',
  '!parity',
  'parity,n notin (9)',
  'n=1,n=2',
  ' n = 1 ',
  'parity=even,n!=2',
];
const BAD_SELECTORS = ['n=', 'n==', '=1', 'n in', 'n in ()', 'n in (1', '!', 'a b', 'n=a=b', 'a/b/c=1', '-n=1'];

/** Lists: shape, selectors, pages and versions. */
export const list: CaseGroup = {
  group: 'list',
  cases: [
    ask('shape', async (stage) => {
      const path = await five(stage);
      return stage.api.get(path, { query: { labelSelector: 'n=1' } });
    }),
    ask('empty', ({ api, namespace }) => api.get(`/apis/apps/v1/namespaces/${namespace}/statefulsets`)),
    ask('label selectors', async (stage) => {
      const path = await five(stage);
      const seen: Record<string, unknown> = {};
      for (const labelSelector of SELECTORS)
        seen[labelSelector] = names(await stage.api.get(path, { query: { labelSelector } }));
      return seen;
    }),
    ask('bad label selectors', async ({ api, namespace }) => {
      const seen: Record<string, unknown> = {};
      for (const labelSelector of BAD_SELECTORS) {
        const { status, body } = await api.get(configMaps(namespace), { query: { labelSelector } });
        seen[labelSelector] = status === 200 ? status : [status, (body as { reason: string }).reason];
      }
      return seen;
    }),
    ask('field selectors', async (stage) => {
      const path = await five(stage);
      const query = (fieldSelector: string) => stage.api.get(path, { query: { fieldSelector } }).then(names);
      return [
        await query('metadata.name=m3'),
        await query(`metadata.name!=m3,metadata.namespace=${stage.namespace}`),
        await query('metadata.name==m1,metadata.name!=m1'),
      ];
    }),
    ask('pages', async (stage) => {
      const path = await five(stage);
      const query = { limit: '2', labelSelector: 'parity' };
      const first = await stage.api.get(path, { query });
      const second = await stage.api.get(path, {
        query: { ...query, continue: String(pick(first, 'metadata', 'continue')) },
      });
      const third = await stage.api.get(path, {
        query: { ...query, continue: String(pick(second, 'metadata', 'continue')) },
      });
      return [first, second, third].map((page) => ({ names: names(page), metadata: pick(page, 'metadata') }));
    }),
    ask('pages without a selector say how many remain', async (stage) => {
      const path = await five(stage);
      await stage.api.get(`${path}/kube-root-ca.crt`);
      const first = await stage.api.get(path, { query: { limit: '4' } });
      return typeof pick(first, 'metadata', 'remainingItemCount');
    }),
    ask('a page is of the first page’s version', async (stage) => {
      const path = await five(stage);
      const query = { limit: '2', labelSelector: 'parity' };
      const first = await stage.api.get(path, { query });
      await stage.api.delete(`${path}/m4`);
      const rest = await stage.api.get(path, {
        query: { labelSelector: 'parity', continue: String(pick(first, 'metadata', 'continue')) },
      });
      return {
        names: names(rest),
        sameVersion: pick(first, 'metadata', 'resourceVersion') === pick(rest, 'metadata', 'resourceVersion'),
      };
    }),
    ask('bad continue token', async ({ api, namespace }) => {
      const { status, body } = await api.get(configMaps(namespace), { query: { limit: '1', continue: 'nonsense' } });
      return [status, (body as { reason: string }).reason];
    }),
    ask('bad limit', ({ api, namespace }) =>
      api.get(configMaps(namespace), { query: { limit: 'many' } }).then(({ status }) => status),
    ),
    ask('resourceVersion in the future', async ({ api, namespace }) => {
      const { status, body } = await api.get(configMaps(namespace), { query: { resourceVersion: '99999999' } });
      const { reason, details, message } = body as { reason: string; details: unknown; message: string };
      return { status, reason, details, message: message.replaceAll(/\d+/g, 'N') };
    }),
    ask('resourceVersion that is no number', ({ api, namespace }) =>
      api.get(configMaps(namespace), { query: { resourceVersion: 'abc' } }),
    ),
    ask('resourceVersionMatch without a version', ({ api, namespace }) =>
      api.get(configMaps(namespace), { query: { resourceVersionMatch: 'Exact' } }),
    ),
    ask('all namespaces', async (stage) => {
      await five(stage);
      const answer = await stage.api.get('/api/v1/configmaps', {
        query: { fieldSelector: `metadata.namespace=${stage.namespace},metadata.name=m1` },
      });
      return answer.body;
    }),
    ask('as partial metadata', async (stage) => {
      const path = await five(stage);
      return stage.api.get(path, {
        query: { labelSelector: 'n=1' },
        headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
      });
    }),
    ask('a media type that is not served', async ({ api, namespace }) => {
      const answer = await api.get(configMaps(namespace), { headers: { accept: 'text/html' } });
      return { status: answer.status, reason: (answer.body as { reason?: string }).reason };
    }),
  ],
};
