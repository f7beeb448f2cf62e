import type { Case, CaseGroup } from '../case.ts';
import { ask, deployment, service } from './objects.ts';

type Fields = Record<string, unknown>;

/** An object of a kind, and what is said about it; nothing is stored. */
const made =
  (path: string, head: Fields) =>
  (name: string, fields: Fields): Case =>
    ask(name, async ({ api, namespace }) => {
      const body = { ...head, metadata: { name: 'contract-x' }, ...fields };
      const answer = await api.post(path.replace('NS', namespace), body, { query: { dryRun: 'All' } });
      const { message, details } = answer.body as { message?: string; details?: unknown };
      return { status: answer.status, message, details };
    });
const inGroup = (group: string, plural: string, kind: string) =>
  made(`/apis/${group}/namespaces/NS/${plural}`, { apiVersion: group, kind });

const ingress = inGroup('networking.k8s.io/v1', 'ingresses', 'Ingress');
const policy = inGroup('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy');
const budget = inGroup('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget');
const scaler = inGroup('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler');
const rollout = inGroup('apps/v1', 'deployments', 'Deployment');
const daemons = inGroup('apps/v1', 'daemonsets', 'DaemonSet');
const sets = inGroup('apps/v1', 'statefulsets', 'StatefulSet');
const priority = made('/apis/scheduling.k8s.io/v1/priorityclasses', { kind: 'PriorityClass' });
const ingressClass = made('/apis/networking.k8s.io/v1/ingressclasses', { kind: 'IngressClass' });
const net = made('/api/v1/namespaces/NS/services', { kind: 'Service' });
const secret = made('/api/v1/namespaces/NS/secrets', { kind: 'Secret' });
const claim = made('/api/v1/namespaces/NS/persistentvolumeclaims', { kind: 'PersistentVolumeClaim' });
const volume = made('/api/v1/persistentvolumes', { kind: 'PersistentVolume' });

const path = (fields: Fields = {}) => ({
  spec: {
    rules: [
      {
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } }, ...fields },
          ],
        },
      },
    ],
  },
});
const host = (name: string) => ({ spec: { rules: [{ host: name }] } });
const from = (...peers: Fields[]) => ({ spec: { podSelector: {}, ingress: [{ from: peers }] } });
const port = (fields: Fields) => ({ spec: { podSelector: {}, ingress: [{ ports: [fields] }] } });
const work = (fields: Fields) => ({ spec: { ...deployment('x', 0).spec, ...fields } });
const daemon = (rollingUpdate: Fields) => {
  const { replicas: _replicas, ...spec } = deployment('x', 0).spec;
  return { spec: { ...spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate } } };
};
const addressed = (fields: Fields) => ({ spec: { ...service('x').spec, ...fields } });
const disk = (fields: Fields) => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...fields },
});
const wish = (fields: Fields) => ({
  spec: {
    storageClassName: 'contract-none',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...fields,
  },
});
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };

/** Mistakes in manifests of many kinds. */
export const kindRules: CaseGroup = {
  group: 'kind-rules',
  cases: [
    ingress('an ingress without a type of path', path({ pathType: undefined })),
    ingress('an ingress with an unknown type of path', path({ pathType: 'x' })),
    ingress('an ingress with a relative path', path({ path: 'a' })),
    ingress('an ingress with a crooked path', path({ path: '/a//b/../c' })),
    ingress('an ingress to nowhere', path({ backend: {} })),
    ingress('an ingress to no port', path({ backend: { service: { name: 's' } } })),
    ingress('an ingress to two ports', path({ backend: { service: { name: 's', port: { number: 1, name: 'x' } } } })),
    ingress('an ingress of an address', host('1.2.3.4')),
    ingress('an ingress of a bad host', host('A_b')),
    ingress('an ingress of a bad wildcard', host('a.*.b')),
    ingress('an ingress of a good wildcard', host('*.a.b')),
    ingressClass('an ingress class of no controller', {}),
    ingressClass('an ingress class of a short controller', { spec: { controller: 'abc' } }),
    policy('a network policy of an unknown type', { spec: { podSelector: {}, policyTypes: ['X'] } }),
    policy('a network policy from nobody', from({})),
    policy('a network policy from two at once', from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } })),
    policy('a network policy from no network', from({ ipBlock: { cidr: 'x' } })),
    policy('a network policy of no port', port({ port: 70_000 })),
    policy('a network policy of ports backwards', port({ port: 80, endPort: 70 })),
    policy('a network policy of no pods', { spec: { podSelector: { matchLabels: { 'a b': 'c' } } } }),
    budget('a budget below nothing', { spec: { minAvailable: -1 } }),
    budget('a budget beyond all', { spec: { minAvailable: '150%' } }),
    budget('a budget that is no number', { spec: { minAvailable: 'x' } }),
    budget('a budget of a selector that is none', {
      spec: { minAvailable: 1, selector: { matchExpressions: [{ key: 'a', operator: 'x' }] } },
    }),
    scaler('a scaler of nothing', { spec: { scaleTargetRef: {}, maxReplicas: 3 } }),
    scaler('a scaler with a minimum beyond its maximum', {
      spec: { scaleTargetRef: target, minReplicas: 5, maxReplicas: 3 },
    }),
    rollout('a rollout of more than all', work({ strategy: { rollingUpdate: { maxUnavailable: '200%' } } })),
    rollout('a rollout late before it is ready', work({ progressDeadlineSeconds: 5, minReadySeconds: 10 })),
    rollout('a rollout with less than no history', work({ revisionHistoryLimit: -1 })),
    rollout(
      'a rollout of an unknown operator',
      work({ selector: { matchExpressions: [{ key: 'app', operator: 'Nope', values: ['x'] }] } }),
    ),
    daemons('daemons that cannot be replaced', daemon({ maxUnavailable: 0, maxSurge: 0 })),
    daemons('daemons that are replaced twice', daemon({ maxUnavailable: 1, maxSurge: 1 })),
    sets('a set that keeps its claims somehow', work({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X' } })),
    sets('a set that counts from below', work({ ordinals: { start: -1 } })),
    priority('a priority beyond all', { value: 2_000_000_000 }),
    priority('a priority of the system', { metadata: { name: 'system-x' }, value: 5 }),
    net('a service to a port that is none', addressed({ ports: [{ port: 1, targetPort: 'HTTP_x_y' }] })),
    net('a service at an address that is none', addressed({ externalIPs: ['x'] })),
    net('a service at home', addressed({ externalIPs: ['127.0.0.1'] })),
    net('a service for no network', addressed({ type: 'LoadBalancer', loadBalancerSourceRanges: ['x'] })),
    net('a service with a policy it cannot have', addressed({ externalTrafficPolicy: 'Local' })),
    net('a service with an unknown policy', addressed({ type: 'NodePort', externalTrafficPolicy: 'x' })),
    net('a service with the class of another type', addressed({ loadBalancerClass: 'x.y/z' })),
    net('a service that remembers for no time', {
      ...addressed({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    }),
    net('a service of a bad name', { spec: { type: 'ExternalName', externalName: 'a b' } }),
    secret('a token of no account', { type: 'kubernetes.io/service-account-token' }),
    secret('a login without a name', { type: 'kubernetes.io/basic-auth' }),
    claim('a claim for one pod and for many', wish({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })),
    claim('a claim of a bad class', wish({ storageClassName: 'A B' })),
    volume('a volume without a handle', disk({ csi: { driver: '', volumeHandle: '' } })),
    volume('a volume of no size', disk({ capacity: { storage: '0' }, hostPath: { path: '/x' } })),
    volume('a local volume anywhere', disk({ local: { path: '/x' } })),
  ],
};
