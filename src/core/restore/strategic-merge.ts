import {
  AppError,
  applyStrategicPatch,
  textAt,
  type JsonObject,
  type MergeField,
  type MergeType,
} from '../../base/index.ts';

type Fields = Readonly<Record<string, MergeField>>;

const typeOf = (fields: Fields): MergeType => ({
  field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
});
/** A list of objects that are identified by this key. */
const by = (mergeKey: string, type?: MergeType): MergeField => ({
  strategies: ['merge'],
  mergeKey,
  ...(type === undefined ? {} : { type }),
});
const within = (fields: Fields): MergeField => ({ strategies: [], type: typeOf(fields) });

// As the Go types of Kubernetes are tagged, without their status, which a restore does not change.
const METADATA = within({ finalizers: { strategies: ['merge'] }, ownerReferences: by('uid') });
const CONTAINER = typeOf({
  env: by('name'),
  ports: by('containerPort'),
  volumeDevices: by('devicePath'),
  volumeMounts: by('mountPath'),
});
const POD_SPEC = within({
  containers: by('name', CONTAINER),
  initContainers: by('name', CONTAINER),
  ephemeralContainers: by('name', CONTAINER),
  hostAliases: by('ip'),
  imagePullSecrets: by('name'),
  resourceClaims: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  schedulingGates: by('name'),
  topologySpreadConstraints: by('topologyKey'),
  volumes: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
});
const TEMPLATE = within({ metadata: METADATA, spec: POD_SPEC });
const OF_TEMPLATE: Fields = { spec: within({ template: TEMPLATE }) };
const WEBHOOKS: Fields = { webhooks: by('name', typeOf({ matchConditions: by('name') })) };

const KINDS: Readonly<Record<string, Fields>> = {
  Pod: { spec: POD_SPEC },
  PodTemplate: { template: TEMPLATE },
  ReplicationController: OF_TEMPLATE,
  ReplicaSet: OF_TEMPLATE,
  StatefulSet: OF_TEMPLATE,
  DaemonSet: OF_TEMPLATE,
  Job: OF_TEMPLATE,
  Deployment: { spec: within({ template: TEMPLATE, strategy: { strategies: ['retainKeys'] } }) },
  CronJob: { spec: within({ jobTemplate: within({ metadata: METADATA, ...OF_TEMPLATE }) }) },
  Service: { spec: within({ ports: by('port') }) },
  ServiceAccount: { secrets: by('name') },
  PodDisruptionBudget: { spec: within({ selector: { strategies: ['replace'] } }) },
  MutatingWebhookConfiguration: WEBHOOKS,
  ValidatingWebhookConfiguration: WEBHOOKS,
};

/** These groups are Kubernetes' own; the tags of all others are unknown. */
const BUILT_IN = /^[a-z]*$|^(?!snapshot\.storage\.).*\.k8s\.io$/;

/** A strategic merge patch on an object that is not on any server yet. Custom resources do not support such patches. */
export function strategicMerge(item: JsonObject, patch: JsonObject): JsonObject {
  const apiVersion = textAt(item, 'apiVersion') ?? '';
  const kind = textAt(item, 'kind') ?? '';
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  if (!BUILT_IN.test(group)) {
    throw new AppError(
      'unsupported',
      `strategic patches are for types of Kubernetes itself, got ${apiVersion} ${kind}`,
    );
  }
  const fields = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  return applyStrategicPatch(item, patch, typeOf({ metadata: METADATA, ...fields }));
}
