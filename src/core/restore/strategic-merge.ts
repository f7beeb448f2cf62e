import {
  AppError,
  POD_SPEC_MERGE,
  applyStrategicPatch,
  mergeType,
  mergedBy,
  textAt,
  type JsonObject,
  type MergeField,
} from '../../base/index.ts';

type Fields = Readonly<Record<string, MergeField>>;

const within = (fields: Fields): MergeField => ({ strategies: [], type: mergeType(fields) });

// As the Go types of Kubernetes are tagged, without their status, which a restore does not change.
const METADATA = within({ finalizers: { strategies: ['merge'] }, ownerReferences: mergedBy('uid') });
const POD_SPEC: MergeField = { strategies: [], type: POD_SPEC_MERGE };
const TEMPLATE = within({ metadata: METADATA, spec: POD_SPEC });
const OF_TEMPLATE: Fields = { spec: within({ template: TEMPLATE }) };
const WEBHOOKS: Fields = { webhooks: mergedBy('name', mergeType({ matchConditions: mergedBy('name') })) };

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
  Service: { spec: within({ ports: mergedBy('port') }) },
  ServiceAccount: { secrets: mergedBy('name') },
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
  return applyStrategicPatch(item, patch, mergeType({ metadata: METADATA, ...fields }));
}
