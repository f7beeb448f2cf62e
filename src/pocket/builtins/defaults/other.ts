import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { constants, objectMadeAt, setDefault, setIfAbsent, type Defaulters } from './defaulter.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function scalingRules(behavior: JsonObject, key: 'scaleUp' | 'scaleDown'): void {
  const rules = objectMadeAt(behavior, key);
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  if (key === 'scaleUp') setIfAbsent(rules, 'stabilizationWindowSeconds', 0);
  setIfAbsent(rules, 'selectPolicy', 'Max');
  if (!hasItems(rules['policies'])) {
    rules['policies'] = key === 'scaleUp' ? [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent] : [percent];
  }
}

function autoscaler(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  setIfAbsent(spec, 'minReplicas', 1);
  if (!hasItems(spec['metrics'])) {
    const target = { type: 'Utilization', averageUtilization: 80 };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  if (!isObject(spec['behavior'])) return;
  scalingRules(spec['behavior'], 'scaleUp');
  scalingRules(spec['behavior'], 'scaleDown');
}

function networkPolicy(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  if (!hasItems(spec['policyTypes'])) {
    spec['policyTypes'] = hasItems(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress'];
  }
}

function roleBinding(object: JsonObject): void {
  setDefault(objectMadeAt(object, 'roleRef'), 'apiGroup', RBAC_GROUP);
}

function customResourceDefinition(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  const names = objectMadeAt(spec, 'names');
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  setDefault(names, 'singular', kind.toLowerCase());
  if (kind !== '') setDefault(names, 'listKind', `${kind}List`);
  setIfAbsent(spec, 'conversion', { strategy: 'None' });
  const status = objectMadeAt(object, 'status');
  if (hasItems(status['storedVersions'])) return;
  const storage = objectsAt(spec, 'versions').find((version) => version['storage'] === true);
  if (storage) status['storedVersions'] = [storage['name'] ?? ''];
}

function csiDriver(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  constants({
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  })(spec);
  if (!hasItems(spec['volumeLifecycleModes'])) spec['volumeLifecycleModes'] = ['Persistent'];
}

const WEBHOOK: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Every other group. */
export const OTHER_DEFAULTS: Defaulters = {
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler': autoscaler,
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler': (object) => {
    setIfAbsent(objectMadeAt(object, 'spec'), 'minReplicas', 1);
  },
  'io.k8s.api.networking.v1.NetworkPolicy': networkPolicy,
  'io.k8s.api.networking.v1.NetworkPolicyPort': constants({ protocol: 'TCP' }),
  'io.k8s.api.networking.v1.IngressClassParametersReference': constants({ scope: 'Cluster' }),
  'io.k8s.api.rbac.v1.ClusterRoleBinding': roleBinding,
  'io.k8s.api.rbac.v1.RoleBinding': roleBinding,
  'io.k8s.api.rbac.v1.Subject': (object) => {
    if (object['kind'] === 'User' || object['kind'] === 'Group') setDefault(object, 'apiGroup', RBAC_GROUP);
  },
  'io.k8s.api.storage.v1.StorageClass': constants({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'io.k8s.api.storage.v1.CSIDriver': csiDriver,
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook': constants(WEBHOOK),
  'io.k8s.api.admissionregistration.v1.MutatingWebhook': constants({ ...WEBHOOK, reinvocationPolicy: 'Never' }),
  'io.k8s.api.admissionregistration.v1.RuleWithOperations': constants({ scope: '*' }),
  'io.k8s.api.admissionregistration.v1.ServiceReference': constants({ port: 443 }),
  'io.k8s.api.discovery.v1.EndpointPort': constants({ name: '', protocol: 'TCP' }),
  'io.k8s.api.scheduling.v1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'io.k8s.api.authentication.v1.TokenRequestSpec': constants({ expirationSeconds: 3600 }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition': customResourceDefinition,
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference': constants({ port: 443 }),
};
