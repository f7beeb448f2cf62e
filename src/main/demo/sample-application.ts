import { apiVersionOf, type ResourceType } from '../../api/meta/resource-type.ts';
import type { JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { ledgerSpec } from './ledger.ts';
import { claimSpec, LEDGER, uploadsSpec } from './volumes.ts';

export interface SampleItem {
  type: ResourceType;
  object: KubeObject;
}

const TEAMS = ['shop', 'billing', 'search', 'media', 'reports', 'mail'] as const;
/** `groupVersion` as in `apiVersion`; a cluster-scoped kind is the exception here. */
const type = (groupVersion: string, kind: string, plural: string, namespaced = true): ResourceType => {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  return { group, version, kind, plural, namespaced };
};

const TYPES = {
  namespace: type('v1', 'Namespace', 'namespaces', false),
  configMap: type('v1', 'ConfigMap', 'configmaps'),
  secret: type('v1', 'Secret', 'secrets'),
  serviceAccount: type('v1', 'ServiceAccount', 'serviceaccounts'),
  service: type('v1', 'Service', 'services'),
  claim: type('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  limitRange: type('v1', 'LimitRange', 'limitranges'),
  resourceQuota: type('v1', 'ResourceQuota', 'resourcequotas'),
  deployment: type('apps/v1', 'Deployment', 'deployments'),
  statefulSet: type('apps/v1', 'StatefulSet', 'statefulsets'),
  cronJob: type('batch/v1', 'CronJob', 'cronjobs'),
  autoscaler: type('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  role: type('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  roleBinding: type('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
  ingress: type('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  networkPolicy: type('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  disruptionBudget: type('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  definition: type('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', false),
  order: type('demo.example.com/v1', 'Order', 'orders'),
} as const;

/** ConfigMaps and as many Secrets in each namespace: enough that a restore takes long enough for an estimate of its end. */
const OF_EACH = 600;

const ORDERS: JsonObject = {
  group: 'demo.example.com',
  scope: 'Namespaced',
  names: { kind: 'Order', plural: 'orders', singular: 'order', listKind: 'OrderList' },
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ],
};

/**
 * What a small company runs: six namespaces, many kinds, in an order in which everything finds what it needs. With
 * `hasProcesses` two of its pods really run and have volumes with files, and hooks freeze one while it is backed up.
 */
export function* sampleApplication({ hasProcesses }: { hasProcesses: boolean }): Generator<SampleItem> {
  for (const team of TEAMS) yield item(TYPES.namespace, team, {}, { team });
  yield item(TYPES.definition, 'orders.demo.example.com', { spec: ORDERS });
  for (const team of TEAMS) yield* teamObjects(team);
  if (!hasProcesses) return;
  yield item(TYPES.claim, `${LEDGER.namespace}/${LEDGER.claim}`, { spec: claimSpec('1Gi') });
  yield item(TYPES.deployment, `${LEDGER.namespace}/${LEDGER.name}`, { spec: ledgerSpec() });
  yield item(TYPES.statefulSet, 'media/uploads', { spec: uploadsSpec() });
}

function* teamObjects(team: string): Generator<SampleItem> {
  const app = { app: team };
  yield item(TYPES.serviceAccount, `${team}/runner`, {});
  yield item(TYPES.role, `${team}/reader`, { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] });
  yield item(TYPES.roleBinding, `${team}/reader`, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'runner', namespace: team }],
  });
  yield item(TYPES.limitRange, `${team}/defaults`, {
    spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
  });
  yield item(TYPES.networkPolicy, `${team}/own-pods`, { spec: { podSelector: {}, policyTypes: ['Ingress'] } });
  yield item(TYPES.resourceQuota, `${team}/limits`, { spec: { hard: { pods: '100' } } });
  for (let n = 0; n < OF_EACH; n += 1) {
    yield item(
      TYPES.configMap,
      `${team}/settings-${String(n)}`,
      { data: { index: String(n), text: 'x'.repeat(200) } },
      app,
    );
    yield item(TYPES.secret, `${team}/token-${String(n)}`, { stringData: { token: `${team}-${String(n)}` } }, app);
  }
  for (let n = 0; n < 20; n += 1) {
    yield item(TYPES.order, `${team}/order-${String(n)}`, {
      spec: { customer: `customer-${String(n)}`, total: n * 100 },
    });
  }
  for (const part of ['web', 'api', 'worker']) yield* workload(team, part);
  yield item(TYPES.statefulSet, `${team}/cache`, { spec: { ...podSet('cache', 2), serviceName: 'cache' } });
  yield item(TYPES.cronJob, `${team}/nightly`, {
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container('job')] } } } },
    },
  });
}

function* workload(team: string, part: string): Generator<SampleItem> {
  yield item(TYPES.deployment, `${team}/${part}`, { spec: podSet(part, 2) }, { app: team, part });
  yield item(TYPES.service, `${team}/${part}`, {
    spec: { selector: { part }, ports: [{ port: 80, targetPort: 8080 }] },
  });
  yield item(TYPES.disruptionBudget, `${team}/${part}`, {
    spec: { minAvailable: 1, selector: { matchLabels: { part } } },
  });
  if (part !== 'web') return;
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: part };
  yield item(TYPES.autoscaler, `${team}/${part}`, { spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5 } });
  const backend = { service: { name: part, port: { number: 80 } } };
  yield item(TYPES.ingress, `${team}/${part}`, {
    spec: { rules: [{ host: `${team}.example.com`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  });
}

function podSet(part: string, replicas: number): JsonObject {
  return {
    replicas,
    selector: { matchLabels: { part } },
    template: { metadata: { labels: { part } }, spec: { containers: [container(part)] } },
  };
}

function container(name: string): JsonObject {
  return { name, image: `registry.example.com/${name}:1.0` };
}

/** `path` is `namespace/name`, or the name alone. */
function item(kind: ResourceType, path: string, body: JsonObject, labels: Record<string, string> = {}): SampleItem {
  const [first = '', second] = path.split('/');
  const metadata = second === undefined ? { name: first, labels } : { name: second, namespace: first, labels };
  return { type: kind, object: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body } };
}
