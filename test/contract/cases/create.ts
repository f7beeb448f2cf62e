import type { CaseGroup } from '../case.ts';
import { ask, configMap, configMaps, deployment, deployments, pick, pod, pods, service, services } from './objects.ts';

/** What a create answers: defaults, server-set metadata, what is refused. */
export const create: CaseGroup = {
  group: 'create',
  cases: [
    ask('config map', ({ api, namespace }) => api.post(configMaps(namespace), configMap('c1'))),
    ask('deployment with defaults', ({ api, namespace }) => api.post(deployments(namespace), deployment('d1'))),
    ask('pod with defaults', async ({ api, namespace }) => {
      const { status, body } = await api.post(pods(namespace), pod('p1'));
      return { status, body };
    }),
    ask('service with an address', async ({ api, namespace }) => {
      const answer = await api.post(services(namespace), service('s1'));
      const spec = pick(answer, 'spec') as Record<string, unknown>;
      const address = String(spec['clusterIP']);
      return {
        ...answer,
        body: { ...(answer.body as object), spec: { ...spec, clusterIP: address !== '', clusterIPs: 1 } },
      };
    }),
    ask('node port out of range', ({ api, namespace }) =>
      api.post(services(namespace), service('s1', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })),
    ),
    ask('node port that is taken', async ({ api, namespace }) => {
      const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] };
      const first = await api.post(services(namespace), service('s1', spec));
      return { first: first.status, second: await api.post(services(namespace), service('s2', spec)) };
    }),
    ask('generateName', async ({ api, namespace }) => {
      const answer = await api.post(configMaps(namespace), { ...configMap(''), metadata: { generateName: 'gen-' } });
      const name = String(pick(answer, 'metadata', 'name'));
      return { status: answer.status, shape: /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name) };
    }),
    ask('no name at all', ({ api, namespace }) => api.post(configMaps(namespace), { ...configMap(''), metadata: {} })),
    ask('namespace in the body differs', ({ api, namespace }) =>
      api.post(configMaps(namespace), configMap('c1', { namespace: 'default' })),
    ),
    ask('kind of another resource', ({ api, namespace }) =>
      api.post(configMaps(namespace), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
    ),
    ask('wrong apiVersion', ({ api, namespace }) =>
      api.post(configMaps(namespace), { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 's' } }),
    ),
    ask('unknown field is a warning', ({ api, namespace }) =>
      api
        .post(deployments(namespace), { ...deployment('d1'), surprise: true })
        .then(({ status, headers }) => ({ status, headers })),
    ),
    ask('unknown field is refused when strict', ({ api, namespace }) =>
      api.post(configMaps(namespace), { ...configMap('c1'), surprise: true }, { query: { fieldValidation: 'Strict' } }),
    ),
    ask('wrong type', ({ api, namespace }) => api.post(configMaps(namespace), { ...configMap('c1'), data: { a: 1 } })),
    ask('deployment without containers', ({ api, namespace }) => {
      const bad = deployment('d1');
      bad.spec.template.spec.containers = [];
      return api.post(deployments(namespace), bad);
    }),
    ask('selector that does not match the template', ({ api, namespace }) => {
      const bad = deployment('d1');
      bad.spec.selector.matchLabels.app = 'other';
      return api.post(deployments(namespace), bad);
    }),
    ask('bad label', ({ api, namespace }) =>
      api.post(configMaps(namespace), configMap('c1', { labels: { 'a b': 'c d' } })),
    ),
    ask('dry run stores nothing', async ({ api, namespace }) => {
      const dry = await api.post(configMaps(namespace), configMap('c1'), { query: { dryRun: 'All' } });
      return { dry, after: await api.get(`${configMaps(namespace)}/c1`) };
    }),
    ask('secret type and stringData', ({ api, namespace }) =>
      api.post(`/api/v1/namespaces/${namespace}/secrets`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's1' },
        stringData: { user: 'admin' },
      }),
    ),
    ask('persistent volume claim', ({ api, namespace }) =>
      api.post(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'p1' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } },
      }),
    ),
    ask('job with defaults', async ({ api, namespace }) => {
      const { status, body } = await api.post(`/apis/batch/v1/namespaces/${namespace}/jobs`, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j1' },
        spec: {
          suspend: true,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      });
      return { status, body };
    }),
    ask('stateful set with defaults', ({ api, namespace }) =>
      api.post(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, {
        ...deployment('s1', 0),
        kind: 'StatefulSet',
        spec: { ...deployment('s1', 0).spec, serviceName: 's1' },
      }),
    ),
    ask('cron job with defaults', ({ api, namespace }) =>
      api.post(`/apis/batch/v1/namespaces/${namespace}/cronjobs`, {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'c1' },
        spec: {
          schedule: '0 3 * * *',
          suspend: true,
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      }),
    ),
    ask('ingress, role and binding', async ({ api, namespace }) => [
      await api.post(`/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'i1' },
        spec: {
          rules: [
            {
              host: 'a.example.com',
              http: {
                paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
              },
            },
          ],
        },
      }),
      await api.post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r1' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      await api.post(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'b1' },
        roleRef: { kind: 'Role', name: 'r1', apiGroup: 'rbac.authorization.k8s.io' },
        subjects: [{ kind: 'ServiceAccount', name: 'x', namespace }],
      }),
    ]),
    ask('lease with micro time', ({ api, namespace }) =>
      api.post(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'l1' },
        spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123456Z' },
      }),
    ),
    ask('integers beyond 2^53 survive', async ({ api, namespace }) => {
      const answer = await api.post(
        `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
        '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l1"},"spec":{"leaseTransitions":2147483647}}',
      );
      return pick(answer, 'spec');
    }),
    ask('access review', ({ api, namespace }) =>
      api
        .post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { namespace, verb: 'get', resource: 'pods' } },
        })
        .then((answer) => ({ status: answer.status, allowed: pick(answer, 'status', 'allowed') })),
    ),
  ],
};
