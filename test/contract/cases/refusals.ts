import type { Answer } from '../api.ts';
import type { Case, CaseGroup } from '../case.ts';
import { ask, configMap, configMaps, deployment, deployments, pod, pods, service, services } from './objects.ts';

/** What clients see of a refusal: the code and the message. */
const said = ({ status, body }: Answer) => [status, (body as { message?: string }).message];

/** A change of one object that must not empty, rename or otherwise turn it into something else. */
const change = (name: string, run: (path: string, stage: Parameters<Case['run']>[0]) => Promise<Answer>): Case =>
  ask(name, async (stage) => {
    const path = `${configMaps(stage.namespace)}/c1`;
    await stage.api.post(configMaps(stage.namespace), { ...configMap('c1', { labels: { kept: 'yes' } }) });
    return { said: said(await run(path, stage)), after: await stage.api.get(path) };
  });

/** An object of a built-in kind that must not be stored as it is. */
const made = (name: string, path: (namespace: string) => string, body: Record<string, unknown>): Case =>
  ask(name, async ({ api, namespace }) => said(await api.post(path(namespace), body)));

const withMeta = (extra: Record<string, unknown>) => configMap('c1', extra);
const jobs = (namespace: string) => `/apis/batch/v1/namespaces/${namespace}/jobs`;
const cronJobs = (namespace: string) => `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
const claims = (namespace: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;

const OTHER_JOB = '00000000-0000-4000-8000-000000000001';
const task = (labels: Record<string, string> = {}) => ({
  metadata: { labels },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
});
const job = (spec: Record<string, unknown>) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j1' },
  spec: { suspend: true, template: task(), ...spec },
});
const cronJob = (spec: Record<string, unknown>) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c1' },
  spec: { suspend: true, schedule: '0 0 * * *', jobTemplate: { spec: { template: task() } }, ...spec },
});
const claim = (spec: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'p1' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'contract-none',
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});
const rollout = (strategy: Record<string, unknown>) => {
  const whole = deployment('d1', 0);
  return { ...whole, spec: { ...whole.spec, strategy } };
};

/** Requests that would lose or break something, and what is said instead of doing it. */
export const refusals: CaseGroup = {
  group: 'refusals',
  cases: [
    ask('delete a collection in all namespaces', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      const query = { fieldSelector: `metadata.namespace=${namespace}` };
      return [
        said(await api.delete('/api/v1/configmaps', { query })),
        (await api.get(`${configMaps(namespace)}/c1`)).status,
      ];
    }),
    change('replace without a name', (path, { api }) => api.put(path, { ...configMap('c1'), metadata: {} })),
    change('merge patch that takes the metadata away', (path, { api }) => api.patch(path, 'merge', { metadata: null })),
    change('JSON patch that replaces everything', (path, { api }) =>
      api.patch(path, 'json', [{ op: 'replace', path: '', value: {} }]),
    ),
    change('strategic patch that deletes everything', (path, { api }) =>
      api.patch(path, 'strategic-merge', { $patch: 'delete' }),
    ),
    change('delete with the body of something else', (path, { api }) =>
      api.delete(path, { body: { apiVersion: 'v1', kind: 'Status' } }),
    ),
    change('delete with two policies', (path, { api }) =>
      api.delete(path, { body: { propagationPolicy: 'Orphan', orphanDependents: true } }),
    ),
    change('delete with a grace period that is no number', (path, { api }) =>
      api.delete(path, { body: { gracePeriodSeconds: 'x' } }),
    ),
    change('delete with an unknown dry run', (path, { api }) => api.delete(path, { query: { dryRun: 'Some' } })),
    made('metadata that is null', configMaps, { ...configMap('c1'), metadata: null }),
    made('labels that are a text', configMaps, withMeta({ labels: 'x' })),
    made('a label that is a number', configMaps, withMeta({ labels: { a: 1 } })),
    made('a finalizer that is no name', configMaps, withMeta({ finalizers: ['BAD name'] })),
    made('a finalizer without a domain', configMaps, withMeta({ finalizers: ['mine'] })),
    ask('the prototype of JavaScript as a label', ({ api, namespace }) =>
      api.post(configMaps(namespace), '{"metadata":{"name":"c1","labels":{"__proto__":"x"}}}'),
    ),
    ask('the prototype of JavaScript as data', async ({ api, namespace }) => {
      const { body } = await api.post(configMaps(namespace), '{"metadata":{"name":"c1"},"data":{"__proto__":"x"}}');
      const path = `/api/v1/namespaces/${namespace}/secrets`;
      const secret = await api.post(path, '{"metadata":{"name":"s1"},"stringData":{"__proto__":"x"}}');
      return [body, secret.body].map((object) => JSON.stringify((object as { data: unknown }).data));
    }),
    ask('options of a list that are none', async ({ api, namespace }) => {
      const options = [
        { timeoutSeconds: 'abc', watch: 'true' },
        { limit: '1.5' },
        { sendInitialEvents: 'true' },
        { watch: 'true', continue: 'abc', resourceVersionMatch: 'NotOlderThan', sendInitialEvents: 'true' },
      ];
      return Promise.all(options.map(async (query) => said(await api.get(configMaps(namespace), { query }))));
    }),
    ask('a scale that is negative, or of another object', async ({ api, namespace }) => {
      await api.post(deployments(namespace), rollout({ type: 'Recreate' }));
      const path = `${deployments(namespace)}/d1/scale`;
      const scale = (name: string | undefined) => ({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { namespace, ...(name === undefined ? {} : { name }) },
        spec: { replicas: 0 },
      });
      return [
        await api.patch(path, 'merge', { spec: { replicas: -2 } }),
        await api.put(path, scale('d2')),
        await api.put(path, scale(undefined)),
      ].map(said);
    }),
    made('a cluster IP of another cluster', services, service('s1', { clusterIP: '172.30.1.2' })),
    made('a cluster IP that is none', services, service('s1', { clusterIP: 'abc' })),
    made('a node port without a type', services, service('s1', { ports: [{ port: 80, nodePort: 30_077 }] })),
    ask('a headless service without pods', async ({ api, namespace }) => {
      const spec = { clusterIP: 'None', ports: [{ port: 80 }] };
      const { body } = await api.post(services(namespace), { ...service('s1'), spec });
      return (body as { spec: unknown }).spec;
    }),
    made('a job with the selector of another', jobs, {
      ...job({ selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': OTHER_JOB } } }),
    }),
    ask('a job with the labels of another', async ({ api, namespace }) => {
      const labels = { 'controller-uid': OTHER_JOB, 'batch.kubernetes.io/controller-uid': OTHER_JOB };
      const [status] = said(await api.post(jobs(namespace), job({ template: task(labels) })));
      return status;
    }),
    made('a job without the selector it promised', jobs, job({ manualSelector: true, template: task({ a: 'b' }) })),
    made('a cron job with a time zone in its schedule', cronJobs, cronJob({ schedule: 'TZ=UTC 0 0 * * *' })),
    made('a cron job in a time zone that is none', cronJobs, cronJob({ timeZone: 'Nowhere/Else' })),
    made('a cron job that starts pods for ever', cronJobs, {
      ...cronJob({ jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } } } }),
    }),
    made('a claim for nothing', claims, claim({ resources: { requests: { storage: '0' } } })),
    ask('a claim from a snapshot', async ({ api, namespace }) => {
      const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's1' };
      const { body } = await api.post(claims(namespace), claim({ dataSource }));
      return (body as { spec: unknown }).spec;
    }),
    made('a pod of an account that is missing', pods, {
      ...pod('p1'),
      spec: { ...pod('p1').spec, serviceAccountName: 'nobody' },
    }),
    made('a pod of a priority that is missing', pods, {
      ...pod('p1'),
      spec: { ...pod('p1').spec, priorityClassName: 'contract-none' },
    }),
    made('a rollout that cannot begin', deployments, {
      ...rollout({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } }),
    }),
    made('a rollout of two kinds', deployments, rollout({ type: 'Recreate', rollingUpdate: { maxSurge: 1 } })),
    made('an event about another namespace', (namespace) => `/api/v1/namespaces/${namespace}/events`, {
      metadata: { name: 'e1' },
      involvedObject: { kind: 'Pod', name: 'p1', namespace: 'kube-system' },
    }),
  ],
};
