import type { CaseGroup } from '../case.ts';
import { ask, configMap, configMaps, deployment, deployments, pick, pod, pods, service, services } from './objects.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Kinds that both servers promise; the real one serves more. */
const KINDS = [
  ['', 'v1', 'configmaps'],
  ['', 'v1', 'secrets'],
  ['', 'v1', 'pods'],
  ['', 'v1', 'services'],
  ['', 'v1', 'namespaces'],
  ['', 'v1', 'nodes'],
  ['', 'v1', 'events'],
  ['', 'v1', 'endpoints'],
  ['', 'v1', 'serviceaccounts'],
  ['', 'v1', 'limitranges'],
  ['', 'v1', 'resourcequotas'],
  ['', 'v1', 'persistentvolumes'],
  ['', 'v1', 'persistentvolumeclaims'],
  ['apps', 'v1', 'deployments'],
  ['apps', 'v1', 'replicasets'],
  ['apps', 'v1', 'statefulsets'],
  ['apps', 'v1', 'daemonsets'],
  ['apps', 'v1', 'controllerrevisions'],
  ['batch', 'v1', 'jobs'],
  ['batch', 'v1', 'cronjobs'],
  ['coordination.k8s.io', 'v1', 'leases'],
  ['discovery.k8s.io', 'v1', 'endpointslices'],
  ['rbac.authorization.k8s.io', 'v1', 'roles'],
  ['rbac.authorization.k8s.io', 'v1', 'clusterrolebindings'],
  ['networking.k8s.io', 'v1', 'ingresses'],
  ['networking.k8s.io', 'v1', 'ingressclasses'],
  ['networking.k8s.io', 'v1', 'networkpolicies'],
  ['policy', 'v1', 'poddisruptionbudgets'],
  ['autoscaling', 'v2', 'horizontalpodautoscalers'],
  ['autoscaling', 'v1', 'horizontalpodautoscalers'],
  ['scheduling.k8s.io', 'v1', 'priorityclasses'],
  ['storage.k8s.io', 'v1', 'storageclasses'],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions'],
] as const;

/** Subresources that pocket has no use for; a case in `differences` names them. */
const UNSERVED = new Set(['proxy', 'resize']);

interface Discovered {
  metadata?: { name?: string };
  versions: { version: string; resources: { resource: string; subresources?: { subresource: string }[] }[] }[];
}

function tableOf(answer: { body: unknown }, cells: number) {
  const { columnDefinitions, rows, kind } = answer.body as {
    kind: string;
    columnDefinitions: Record<string, unknown>[];
    rows: { cells: unknown[] }[];
  };
  return {
    kind,
    columns: columnDefinitions.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
    cells: rows.map((row) => row.cells.slice(0, cells)),
  };
}

/** What the server says it serves, and how it shows it in tables. */
export const discovery: CaseGroup = {
  group: 'discovery',
  cases: [
    ask('every kind, aggregated', async ({ api }) => {
      const lists = [
        await api.get('/api', { headers: { accept: AGGREGATED } }),
        await api.get('/apis', { headers: { accept: AGGREGATED } }),
      ];
      const groups = lists.flatMap((answer) => pick(answer, 'items') as Discovered[]);
      return {
        contentTypes: lists.map(({ headers }) => headers.contentType),
        kinds: KINDS.map(([group, version, resource]) => {
          const found = groups
            .find((one) => (one.metadata?.name ?? '') === group)
            ?.versions.find((one) => one.version === version)
            ?.resources.find((one) => one.resource === resource);
          return {
            ...found,
            subresources: found?.subresources
              ?.map(({ subresource }) => subresource)
              .filter((name) => !UNSERVED.has(name))
              .sort(),
          };
        }),
      };
    }),
    ask('every kind, plain', async ({ api }) => {
      const seen: unknown[] = [];
      for (const [group, version, resource] of KINDS) {
        const answer = await api.get(group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
        const found = (pick(answer, 'resources') as { name: string; storageVersionHash?: string }[]).find(
          ({ name }) => name === resource,
        );
        const { storageVersionHash: _, ...rest } = found ?? { name: 'missing' };
        seen.push(rest);
      }
      return seen;
    }),
    ask('plain group list', async ({ api }) => {
      const { headers, body } = await api.get('/apis');
      const apps = (body as { groups: { name: string }[] }).groups.find(({ name }) => name === 'apps');
      return { headers, apps, core: (await api.get('/api')).body instanceof Object };
    }),
    ask('health', async ({ api }) =>
      [await api.get('/healthz'), await api.get('/readyz'), await api.get('/livez')].map(({ status, body }) => [
        status,
        body,
      ]),
    ),
    ask('version has its fields', async ({ api }) =>
      Object.keys((await api.get('/version')).body as object).includes('gitVersion'),
    ),
    ask('table of config maps', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return tableOf(await api.get(`${configMaps(namespace)}/c1`, { headers: { accept: TABLE } }), 2);
    }),
    ask('table of deployments', async ({ api, namespace }) => {
      await api.post(deployments(namespace), {
        ...deployment('d1', 0),
        spec: { ...deployment('d1', 0).spec, paused: true },
      });
      return tableOf(await api.get(`${deployments(namespace)}/d1`, { headers: { accept: TABLE } }), 4);
    }),
    ask('parts of pods', async ({ api }) => {
      const parts = ['pods/attach', 'pods/binding', 'pods/eviction', 'pods/exec', 'pods/portforward'];
      const resources = pick(await api.get('/api/v1'), 'resources') as { name: string }[];
      return resources.filter(({ name }) => parts.includes(name));
    }),
    ask('table of pods', async ({ api, namespace }) => {
      await api.post(pods(namespace), pod('p1'));
      return tableOf(await api.get(`${pods(namespace)}/p1`, { headers: { accept: TABLE } }), 4);
    }),
    ask('table of services', async ({ api, namespace }) => {
      await api.post(services(namespace), service('s1', { clusterIP: 'None' }));
      return tableOf(await api.get(`${services(namespace)}/s1`, { headers: { accept: TABLE } }), 5);
    }),
    ask('columns of many kinds', async ({ api, namespace }) => {
      const seen: Record<string, unknown> = {};
      for (const [group, version, resource] of KINDS) {
        const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
        const answer = await api.get(`${base}/${resource}`, { query: { limit: '1' }, headers: { accept: TABLE } });
        seen[resource] = (pick(answer, 'columnDefinitions') as { name: string; priority: number }[]).map(
          ({ name, priority }) => `${name}:${priority}`,
        );
      }
      return { seen, namespace: namespace !== '' };
    }),
    ask('openapi names every group', async ({ api }) => {
      const { body } = await api.get('/openapi/v3');
      const { paths } = (typeof body === 'string' ? JSON.parse(body) : body) as { paths: object };
      return ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/apiextensions.k8s.io/v1'].map((path) => path in paths);
    }),
    ask('a new namespace', async ({ api, namespace }) => (await api.get(`/api/v1/namespaces/${namespace}`)).body),
  ],
};
