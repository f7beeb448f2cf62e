import {
  apiVersionOf,
  CREATED_BY_KANISTER,
  HEADWAY_POD_LABEL,
  OWNER_UID_LABEL,
  worksFor,
  type ResourceType,
} from '../../../api/index.ts';
import { AppError, objectsAt, sha256Hex, textAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';

/** A pod that runs one program to its end. */
export interface PodRequest {
  /** From `podName`, so that the next process finds it. */
  name: string;
  namespace: string;
  /** What it is for, as a label: `mover`. */
  purpose: string;
  /** The object it works for. In the pod's own namespace, the pod goes when that object does. */
  owner: { type: ResourceType; object: KubeObject };
  /** Whose labels it carries, besides those given: Kanister's pods have no others, and tools compare them. */
  marks?: 'headway' | 'kanister';
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  spec: JsonObject;
  /** Whose log and exit code count; the first if absent. */
  container?: string;
  /** From its creation to its end. */
  deadlineMs: number;
  /** How long its program has to end by itself when the pod is removed; as the pod says unless given. */
  graceSeconds?: number;
}

const MAX_NAME = 63;
const HASH = 10;

/**
 * The same for the same identity, and short enough to be a host name. The beginning is for people; the identity holds
 * everything that makes it another pod: the owner's uid, what it does, and the attempt if each is to have its own.
 */
export function podName(readable: string, identity: readonly string[]): string {
  const clean = readable.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const start = clean.slice(0, MAX_NAME - HASH - 1).replaceAll(/^-+|-+$/g, '');
  return `${start === '' ? 'pod' : start}-${sha256Hex(JSON.stringify(identity)).slice(0, HASH)}`;
}

export function containerOf({ container, spec }: Pick<PodRequest, 'container' | 'spec'>): string {
  const name = container ?? textAt(objectsAt(spec, 'containers')[0], 'name');
  if (name === undefined) throw new AppError('bug', 'run a pod: it has no container');
  return name;
}

/** The object to create. What the spec leaves open is filled in as fits a program that runs once. */
export function podObject(request: PodRequest): KubeObject {
  const { name, namespace, owner, labels, annotations, spec, deadlineMs } = request;
  const { uid } = owner.object.metadata;
  if (uid === undefined)
    throw new AppError('bug', `run pod ${name}: its owner has no uid, and would not find it again`);
  const isNear = owner.object.metadata.namespace === namespace;
  // Nobody gets credentials for the cluster who did not ask for them.
  const token = spec['serviceAccountName'] === undefined ? { automountServiceAccountToken: false } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { ...labels, ...marksOf(request, uid) },
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(isNear ? { ownerReferences: [ownerReference(owner)] } : {}),
    },
    spec: {
      restartPolicy: 'Never',
      // Also without us it does not run for ever.
      activeDeadlineSeconds: Math.max(1, Math.ceil(deadlineMs / 1000)),
      ...token,
      ...spec,
    },
  };
}

function ownerReference({ type, object }: PodRequest['owner']): JsonObject {
  const { name, uid = '' } = object.metadata;
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, uid, controller: true };
}

function marksOf({ marks, purpose, owner, namespace }: PodRequest, uid: string): Record<string, string> {
  if (marks !== 'kanister') return { [HEADWAY_POD_LABEL]: purpose, [OWNER_UID_LABEL]: uid };
  const isNear = owner.object.metadata.namespace === namespace;
  return { ...CREATED_BY_KANISTER, ...(isNear ? {} : { [OWNER_UID_LABEL]: uid }) };
}

/** Whether a pod with this name is the one that was asked for, made by an earlier process. */
export function isOurs(pod: KubeObject, { purpose, owner, marks }: PodRequest): boolean {
  const { labels = {} } = pod.metadata;
  const { uid = '' } = owner.object.metadata;
  if (marks === 'kanister') return worksFor(pod, uid);
  return labels[HEADWAY_POD_LABEL] === purpose && labels[OWNER_UID_LABEL] === uid;
}
