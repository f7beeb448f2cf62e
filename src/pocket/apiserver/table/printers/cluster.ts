import { valueAt } from '../../../../base/index.ts';
import { listAt, numberAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { AGE, integer, NAME, text, wide, type Column } from '../column.ts';
import { NONE, orNone } from './cells.ts';

const ROLE_LABEL = 'node-role.kubernetes.io/';

const bindings: readonly Column[] = [
  NAME,
  text('Role', (object) => `${scalarTextAt(object, 'roleRef', 'kind')}/${scalarTextAt(object, 'roleRef', 'name')}`),
  AGE,
  wide(text('Users', (object) => subjects(object, 'User'))),
  wide(text('Groups', (object) => subjects(object, 'Group'))),
  wide(text('ServiceAccounts', (object) => subjects(object, 'ServiceAccount'))),
];
const webhooks: readonly Column[] = [NAME, integer('Webhooks', (object) => listAt(object, 'webhooks').length), AGE];

export const CLUSTER_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  nodes: [
    NAME,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    AGE,
    text('Version', (node) => scalarTextAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
    wide(text('Internal-IP', (node) => nodeAddress(node, 'InternalIP'))),
    wide(text('External-IP', (node) => nodeAddress(node, 'ExternalIP'))),
    wide(text('OS-Image', (node) => scalarTextAt(node, 'status', 'nodeInfo', 'osImage') || '<unknown>')),
    wide(text('Kernel-Version', kernel)),
    wide(
      text(
        'Container-Runtime',
        (node) => scalarTextAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
      ),
    ),
  ],
  'rolebindings.rbac.authorization.k8s.io': bindings,
  'clusterrolebindings.rbac.authorization.k8s.io': bindings,
  serviceaccounts: [NAME, AGE],
  'runtimeclasses.node.k8s.io': [NAME, text('Handler', (object) => scalarTextAt(object, 'handler')), AGE],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'leases.coordination.k8s.io': [NAME, text('Holder', (lease) => scalarTextAt(lease, 'spec', 'holderIdentity')), AGE],
  'poddisruptionbudgets.policy': [
    NAME,
    text('Min Available', (budget) => scalarTextAt(budget, 'spec', 'minAvailable') || 'N/A'),
    text('Max Unavailable', (budget) => scalarTextAt(budget, 'spec', 'maxUnavailable') || 'N/A'),
    integer('Allowed Disruptions', (budget) => numberAt(budget, 'status', 'disruptionsAllowed')),
    AGE,
  ],
  'horizontalpodautoscalers.autoscaling': [
    NAME,
    text(
      'Reference',
      (scaler) =>
        `${scalarTextAt(scaler, 'spec', 'scaleTargetRef', 'kind')}/${scalarTextAt(scaler, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    text('Targets', scalerTargets),
    text('MinPods', (scaler) => scalarTextAt(scaler, 'spec', 'minReplicas') || '<unset>'),
    { ...integer('MaxPods', (scaler) => numberAt(scaler, 'spec', 'maxReplicas')), type: 'string' },
    { ...integer('Replicas', (scaler) => numberAt(scaler, 'status', 'currentReplicas')), type: 'string' },
    AGE,
  ],
  'priorityclasses.scheduling.k8s.io': [
    NAME,
    integer('Value', (object) => valueAt(object, 'value') ?? 0),
    { name: 'Global-Default', type: 'boolean', cell: (object) => valueAt(object, 'globalDefault') === true },
    AGE,
    text('PreemptionPolicy', (object) => scalarTextAt(object, 'preemptionPolicy')),
  ],
};

function subjects(binding: Readonly<ApiObject>, kind: string): string {
  return listAt(binding, 'subjects')
    .filter((subject) => scalarTextAt(subject, 'kind') === kind)
    .map(
      (subject) =>
        (kind === 'ServiceAccount' ? `${scalarTextAt(subject, 'namespace')}/` : '') + scalarTextAt(subject, 'name'),
    )
    .join(', ');
}

function nodeStatus(node: Readonly<ApiObject>): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => scalarTextAt(condition, 'type') === 'Ready');
  const status = ready === undefined ? 'Unknown' : scalarTextAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: Readonly<ApiObject>): string {
  const labels = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(ROLE_LABEL));
  return orNone(
    labels
      .map((label) => label.slice(ROLE_LABEL.length))
      .sort()
      .join(','),
  );
}

function nodeAddress(node: Readonly<ApiObject>, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => scalarTextAt(address, 'type') === type);
  return found === undefined ? NONE : scalarTextAt(found, 'address');
}

function kernel(node: Readonly<ApiObject>): string {
  const version = scalarTextAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>';
  const architecture = scalarTextAt(node, 'status', 'nodeInfo', 'architecture');
  return architecture === '' ? version : `${version} (${architecture})`;
}

/** The usual targets, resource utilization and averages; there are no metrics here, so current values are unknown. */
function scalerTargets(scaler: Readonly<ApiObject>): string {
  const metrics = listAt(scaler, 'spec', 'metrics');
  const targets = metrics.slice(0, 2).map((metric) => {
    const type = scalarTextAt(metric, 'type');
    const field = type.charAt(0).toLowerCase() + type.slice(1);
    const utilization = scalarTextAt(metric, field, 'target', 'averageUtilization');
    const value =
      scalarTextAt(metric, field, 'target', 'averageValue') || scalarTextAt(metric, field, 'target', 'value');
    const goal = utilization === '' ? value || '<auto>' : `${utilization}%`;
    return type === 'Resource' ? `${scalarTextAt(metric, field, 'name')}: <unknown>/${goal}` : `<unknown>/${goal}`;
  });
  const shown = targets.join(', ');
  return metrics.length > 2 ? `${shown} + ${metrics.length - 2} more...` : orNone(shown);
}
