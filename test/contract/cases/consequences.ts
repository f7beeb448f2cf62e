import type { CaseGroup } from '../case.ts';
import { gone, until } from '../eventual.ts';
import { ask, configMap, configMaps, deployment, deployments, pick, pod, pods, service, services } from './objects.ts';

const jobs = (namespace: string) => `/apis/batch/v1/namespaces/${namespace}/jobs`;
const job = (name: string, labels: Record<string, string>) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, labels },
  spec: {
    suspend: true,
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    },
  },
});
const generation = (answer: { body: unknown }) => pick(answer, 'metadata', 'generation');

/** What the server does of its own accord with what it is given. */
export const consequences: CaseGroup = {
  group: 'consequences',
  cases: [
    ask('an annotation counts as a change of a deployment', async ({ api, namespace }) => {
      const made = await api.post(deployments(namespace), deployment('d1', 0));
      const path = `${deployments(namespace)}/d1`;
      const observed = await until(api, path, (answer) => pick(answer, 'status', 'observedGeneration') === 1);
      const noted = await api.patch(path, 'merge', { metadata: { annotations: { a: 'b' } } });
      const labelled = await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
      return [made, observed, noted, labelled].map(generation);
    }),
    ask('an annotation counts as no change of a stateful set', async ({ api, namespace }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
      await api.post(path, { ...deployment('s1', 0), kind: 'StatefulSet' });
      return generation(await api.patch(`${path}/s1`, 'merge', { metadata: { annotations: { a: 'b' } } }));
    }),
    ask('labels of a job', async ({ api, namespace }) => {
      const own = await api.post(jobs(namespace), job('j1', { app: 'x' }));
      const taken = await api.post(jobs(namespace), job('j2', {}));
      return [own, taken].map((answer) => pick(answer, 'metadata', 'labels'));
    }),
    ask('a job that is deleted without a word keeps its pods', async ({ api, namespace }) => {
      const { body } = await api.post(jobs(namespace), job('j1', {}));
      const { uid } = (body as { metadata: { uid: string } }).metadata;
      const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j1', uid }];
      await api.post(configMaps(namespace), configMap('c1', { ownerReferences }));
      const deleted = await api.delete(`${jobs(namespace)}/j1`);
      await gone(api, `${jobs(namespace)}/j1`);
      const kept = await api.get(`${configMaps(namespace)}/c1`);
      return [
        deleted.status,
        deleted.headers.warning,
        pick(deleted, 'kind'),
        pick(deleted, 'metadata', 'finalizers'),
        kept.status,
        pick(kept, 'metadata', 'ownerReferences'),
      ];
    }),
    ask('a job that is deleted in the background', async ({ api, namespace }) => {
      await api.post(jobs(namespace), job('j1', {}));
      const { status, headers, body } = await api.delete(`${jobs(namespace)}/j1`, {
        query: { propagationPolicy: 'Background' },
      });
      return [status, headers.warning, (body as { kind: string }).kind];
    }),
    ask('the selector of a scale', async ({ api, namespace }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
      const terms = [
        { key: 'z', operator: 'DoesNotExist' },
        { key: 'app', operator: 'In', values: ['y', 'r1'] },
        { key: 'b', operator: 'NotIn', values: ['c'] },
      ];
      const { spec, ...rest } = deployment('r1', 0);
      await api.post(path, { ...rest, kind: 'ReplicaSet', spec: { ...spec, selector: { matchExpressions: terms } } });
      return pick(await api.get(`${path}/r1/scale`), 'status');
    }),
    ask('a balancer that asks for the health of nodes', async ({ api, namespace }) => {
      const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
      const made = await api.post(services(namespace), service('s1', spec));
      const path = `${services(namespace)}/s1`;
      const kept = await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
      const changed = await api.patch(path, 'merge', { spec: { externalTrafficPolicy: 'Cluster' } });
      const ports = [made, kept, changed].map((answer) => pick(answer, 'spec', 'healthCheckNodePort'));
      return [typeof ports[0], ports[0] === ports[1], ports[2]];
    }),
    ask('a service that becomes a name', async ({ api, namespace }) => {
      await api.post(services(namespace), service('s1'));
      const spec = { type: 'ExternalName', externalName: 'a.b' };
      return pick(await api.patch(`${services(namespace)}/s1`, 'merge', { spec }), 'spec');
    }),
    ask('tolerations that every pod has', async ({ api, namespace }) => {
      await api.post(pods(namespace), pod('p1'));
      const path = `${pods(namespace)}/p1`;
      const added = await api.patch(path, 'merge', { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } });
      return pick(added, 'spec', 'tolerations');
    }),
    ask('what cannot be changed of a pod', async ({ api, namespace }) => {
      await api.post(pods(namespace), pod('p1'));
      const changes = [
        { spec: { nodeName: 'x' } },
        { spec: { terminationGracePeriodSeconds: 5 } },
        { spec: { containers: [{ name: 'd', image: 'i' }] } },
      ];
      const answers = await Promise.all(
        changes.map((patch) => api.patch(`${pods(namespace)}/p1`, 'strategic-merge', patch)),
      );
      // The real server adds how the two differ, in its internal types.
      return answers.map(({ status, body }) => [status, (body as { message: string }).message.split('\n@@')[0]]);
    }),
    ask('a new volume says since when it waits', async ({ api }) => {
      const volume = {
        metadata: { name: 'contract-waiting' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      };
      return pick(await api.post('/api/v1/persistentvolumes', volume, { query: { dryRun: 'All' } }), 'status');
    }),
    ask('one object at a version', async ({ api, namespace }) => {
      const { body } = await api.post(configMaps(namespace), configMap('c1'));
      const at = async (resourceVersion: string) => {
        const answer = await api.get(`${configMaps(namespace)}/c1`, { query: { resourceVersion } });
        const { reason, message, details } = answer.body as Record<string, unknown>;
        return [answer.status, reason, String(message).replaceAll(/\d+/g, 'N'), details];
      };
      // Version 0 is whatever a server has in its cache, which may not have the object yet; its own version waits for it.
      await at((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
      return [await at('0'), await at('abc'), await at('999999999')];
    }),
    ask('a watch that is asked for in other words', async ({ api, namespace }) => {
      const query = { watch: 'True', resourceVersion: '0', fieldSelector: 'metadata.name=c1' };
      await api.post(configMaps(namespace), configMap('c1'));
      const [event] = (await api.events(1, configMaps(namespace), query)) as { type: string }[];
      const { body } = await api.get(configMaps(namespace), { query: { watch: 'False' } });
      return [event?.type, (body as { kind: string }).kind];
    }),
    ask('versions and groups that are not there', async ({ api }) => {
      const paths = ['/apis/apps/v2/deployments', '/apis/apps/v7', '/api/v2', '/apis/none.example.com/v1'];
      return Promise.all(paths.map(async (path) => await api.get(path)));
    }),
    ask('a field of replica sets that cannot be selected', ({ api, namespace }) =>
      api.get(`/apis/apps/v1/namespaces/${namespace}/replicasets`, { query: { fieldSelector: 'status.replicas=0' } }),
    ),
    ask('how the server is', async ({ api }) => {
      const at = async (path: string, query = {}) => {
        const { status, body } = await api.get(path, { query });
        return [status, typeof body === 'string' ? body.trim().split('\n').at(-1) : body];
      };
      return [
        await at('/readyz', { verbose: '' }),
        await at('/healthz/ping'),
        await at('/livez/etcd', { verbose: '' }),
        await at('/livez/nope'),
      ];
    }),
    ask('selectors of labels that are none', async ({ api, namespace }) => {
      const wrong = [`${'a'.repeat(70)}=b`, 'a/b/c=d', 'n>x', `a=${'b'.repeat(70)}`, '-a', 'a=b-'];
      return Promise.all(
        wrong.map(async (labelSelector) => {
          const { status, body } = await api.get(configMaps(namespace), { query: { labelSelector } });
          return [status, (body as { message?: string }).message];
        }),
      );
    }),
    ask(
      'endpoints warn',
      async ({ api, namespace }) => (await api.get(`/api/v1/namespaces/${namespace}/endpoints`)).headers.warning,
    ),
  ],
};
