import type { ResourceType } from '../../api/meta/resource-type.ts';

export interface Subresource {
  /** Such as `status`. */
  name: string;
  /** What it reads and writes when that is not the resource's own kind. */
  kind?: { group: string; version: string; kind: string };
  verbs: readonly string[];
}

/** A kind the pocket API server serves without a CustomResourceDefinition. */
export interface BuiltinType extends ResourceType {
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
  subresources: readonly Subresource[];
  /** True when the real server counts metadata.generation for this kind. */
  hasGeneration: boolean;
}

type Options = Partial<Pick<BuiltinType, 'shortNames' | 'categories' | 'verbs' | 'subresources' | 'hasGeneration'>> & {
  plural?: string;
};

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
const READ_WRITE = ['get', 'patch', 'update'] as const;
const CREATE = ['create'] as const;

const STATUS: Subresource = { name: 'status', verbs: READ_WRITE };
const SCALE: Subresource = {
  name: 'scale',
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  verbs: READ_WRITE,
};
const FINALIZE: Subresource = { name: 'finalize', verbs: ['update'] };
const STREAM = ['create', 'get'] as const;
const POD_SUBRESOURCES: readonly Subresource[] = [
  { name: 'attach', kind: { group: '', version: 'v1', kind: 'PodAttachOptions' }, verbs: STREAM },
  { name: 'binding', kind: { group: '', version: 'v1', kind: 'Binding' }, verbs: CREATE },
  { name: 'ephemeralcontainers', verbs: READ_WRITE },
  { name: 'eviction', kind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: CREATE },
  { name: 'exec', kind: { group: '', version: 'v1', kind: 'PodExecOptions' }, verbs: STREAM },
  { name: 'log', verbs: ['get'] },
  { name: 'portforward', kind: { group: '', version: 'v1', kind: 'PodPortForwardOptions' }, verbs: STREAM },
  STATUS,
];
const TOKEN: Subresource = {
  name: 'token',
  kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  verbs: CREATE,
};

const WORKLOAD: Options = { categories: ['all'], subresources: [STATUS], hasGeneration: true };
const SCALED: Options = { ...WORKLOAD, subresources: [SCALE, STATUS] };
const AUTOSCALER: Options = { shortNames: ['hpa'], categories: ['all'], subresources: [STATUS] };
const REVIEW: Options = { verbs: CREATE };
const EXTENSION: Options = { categories: ['api-extensions'], hasGeneration: true };

function entry(groupVersion: string, kind: string, namespaced: boolean, options: Options): BuiltinType {
  const slash = groupVersion.indexOf('/');
  const singular = kind.toLowerCase();
  return {
    group: slash < 0 ? '' : groupVersion.slice(0, slash),
    version: groupVersion.slice(slash + 1),
    kind,
    plural: options.plural ?? `${singular}s`,
    namespaced,
    singular,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? ALL_VERBS,
    subresources: options.subresources ?? [],
    hasGeneration: options.hasGeneration ?? false,
  };
}

const inNamespace = (groupVersion: string, kind: string, options: Options = {}): BuiltinType =>
  entry(groupVersion, kind, true, options);
const inCluster = (groupVersion: string, kind: string, options: Options = {}): BuiltinType =>
  entry(groupVersion, kind, false, options);

/**
 * Every built-in kind, in the order clients see the groups. Adding a kind is one entry here: the schema, the protobuf
 * layout and the OpenAPI document are found by group, version and kind in the generated data.
 */
export const BUILTINS: readonly BuiltinType[] = [
  inNamespace('v1', 'ConfigMap', { shortNames: ['cm'] }),
  inNamespace('v1', 'Endpoints', { plural: 'endpoints', shortNames: ['ep'] }),
  inNamespace('v1', 'Event', { shortNames: ['ev'] }),
  inNamespace('v1', 'LimitRange', { shortNames: ['limits'] }),
  inCluster('v1', 'Namespace', {
    shortNames: ['ns'],
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    subresources: [FINALIZE, STATUS],
  }),
  inCluster('v1', 'Node', { shortNames: ['no'], subresources: [STATUS] }),
  inNamespace('v1', 'PersistentVolumeClaim', { shortNames: ['pvc'], subresources: [STATUS] }),
  inCluster('v1', 'PersistentVolume', { shortNames: ['pv'], subresources: [STATUS] }),
  inNamespace('v1', 'Pod', { ...WORKLOAD, shortNames: ['po'], subresources: POD_SUBRESOURCES }),
  inNamespace('v1', 'PodTemplate', { hasGeneration: true }),
  inNamespace('v1', 'ReplicationController', { ...SCALED, shortNames: ['rc'] }),
  inNamespace('v1', 'ResourceQuota', { plural: 'resourcequotas', shortNames: ['quota'], subresources: [STATUS] }),
  inNamespace('v1', 'Secret'),
  inNamespace('v1', 'ServiceAccount', { shortNames: ['sa'], subresources: [TOKEN] }),
  inNamespace('v1', 'Service', { shortNames: ['svc'], categories: ['all'], subresources: [STATUS] }),
  inNamespace('apps/v1', 'ControllerRevision'),
  inNamespace('apps/v1', 'DaemonSet', { ...WORKLOAD, shortNames: ['ds'] }),
  inNamespace('apps/v1', 'Deployment', { ...SCALED, shortNames: ['deploy'] }),
  inNamespace('apps/v1', 'ReplicaSet', { ...SCALED, shortNames: ['rs'] }),
  inNamespace('apps/v1', 'StatefulSet', { ...SCALED, shortNames: ['sts'] }),
  inNamespace('events.k8s.io/v1', 'Event', { shortNames: ['ev'] }),
  inCluster('authentication.k8s.io/v1', 'SelfSubjectReview', REVIEW),
  inCluster('authentication.k8s.io/v1', 'TokenReview', REVIEW),
  inNamespace('authorization.k8s.io/v1', 'LocalSubjectAccessReview', REVIEW),
  inCluster('authorization.k8s.io/v1', 'SelfSubjectAccessReview', REVIEW),
  inCluster('authorization.k8s.io/v1', 'SelfSubjectRulesReview', REVIEW),
  inCluster('authorization.k8s.io/v1', 'SubjectAccessReview', REVIEW),
  inNamespace('autoscaling/v2', 'HorizontalPodAutoscaler', AUTOSCALER),
  inNamespace('autoscaling/v1', 'HorizontalPodAutoscaler', AUTOSCALER),
  inNamespace('batch/v1', 'CronJob', { ...WORKLOAD, shortNames: ['cj'] }),
  inNamespace('batch/v1', 'Job', WORKLOAD),
  inCluster('networking.k8s.io/v1', 'IngressClass', { plural: 'ingressclasses', hasGeneration: true }),
  inNamespace('networking.k8s.io/v1', 'Ingress', {
    plural: 'ingresses',
    shortNames: ['ing'],
    subresources: [STATUS],
    hasGeneration: true,
  }),
  inNamespace('networking.k8s.io/v1', 'NetworkPolicy', {
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    hasGeneration: true,
  }),
  inNamespace('policy/v1', 'PodDisruptionBudget', { shortNames: ['pdb'], subresources: [STATUS], hasGeneration: true }),
  inCluster('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'),
  inCluster('rbac.authorization.k8s.io/v1', 'ClusterRole'),
  inNamespace('rbac.authorization.k8s.io/v1', 'RoleBinding'),
  inNamespace('rbac.authorization.k8s.io/v1', 'Role'),
  inCluster('storage.k8s.io/v1', 'CSIDriver'),
  inCluster('storage.k8s.io/v1', 'CSINode'),
  inCluster('storage.k8s.io/v1', 'StorageClass', { plural: 'storageclasses', shortNames: ['sc'] }),
  inCluster('storage.k8s.io/v1', 'VolumeAttachment', { subresources: [STATUS] }),
  inCluster('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', EXTENSION),
  inCluster('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', EXTENSION),
  inCluster('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
    ...EXTENSION,
    shortNames: ['crd', 'crds'],
    subresources: [STATUS],
  }),
  inCluster('scheduling.k8s.io/v1', 'PriorityClass', {
    plural: 'priorityclasses',
    shortNames: ['pc'],
    hasGeneration: true,
  }),
  inNamespace('coordination.k8s.io/v1', 'Lease'),
  inCluster('node.k8s.io/v1', 'RuntimeClass', { plural: 'runtimeclasses' }),
  inNamespace('discovery.k8s.io/v1', 'EndpointSlice', { hasGeneration: true }),
];
