import type { ResourceType } from '../../../api/index.ts';
import { apiVersionOf } from '../../../api/index.ts';
import {
  AppError,
  createMergePatch,
  formatRef,
  isAppError,
  isObjectName,
  objectAt,
  type JsonObject,
  type ObjectRef,
} from '../../../base/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../../edge/kube/index.ts';

export interface ObjectDeps {
  kube: Kube;
  /** Checked before every write: false once this process no longer leads. */
  mayWrite(): boolean;
}

/** For one request about one object, or a short list of them. */
export const CALL_DEADLINE_MS = 15_000;

export function aboutObject(type: ResourceType, { metadata }: KubeObject): ObjectRef {
  const { name, namespace, uid } = metadata;
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}

/** Kubernetes' Time has whole seconds. */
export function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * The current object, bypassing every cache; undefined if it does not exist. A name that no object can have also gives
 * undefined: such names come from users, and must not lead to a request for another path.
 */
export async function readObject(
  target: NamedTarget,
  deps: Pick<ObjectDeps, 'kube'>,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  if (!isObjectName(target.name)) return undefined;
  try {
    return await deps.kube.get(target, { signal, deadlineMs: CALL_DEADLINE_MS });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

interface Write {
  type: ResourceType;
  /** As it was read: if it has changed since, the write is a `conflict`, and the caller must decide again. */
  object: KubeObject;
  deps: ObjectDeps;
  signal: AbortSignal;
}

/** Sets these fields of status; null and undefined remove a field. Sends nothing if nothing changes. */
export async function patchStatus(write: Write, status: JsonObject): Promise<KubeObject> {
  const before = objectAt(write.object['status']);
  const after = Object.entries({ ...before, ...status }).filter(([, value]) => value !== undefined && value !== null);
  const patch = createMergePatch(before, Object.fromEntries(after));
  return patch === undefined ? write.object : await patchObject(write, { status: patch });
}

/** The body is a merge patch. */
export async function patchObject({ type, object, deps, signal }: Write, body: JsonObject): Promise<KubeObject> {
  checkMayWrite(type, object, deps);
  const { resourceVersion } = object.metadata;
  const metadata = { ...objectAt(body['metadata']), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  const patch = { kind: 'merge', body: { ...body, metadata } } as const;
  return await deps.kube.patch(targetOf(type, object), patch, { signal, deadlineMs: CALL_DEADLINE_MS });
}

/** Succeeds if the object is gone; another object that took its name is left alone. */
export async function deleteObject({ type, object, deps, signal }: Write): Promise<void> {
  checkMayWrite(type, object, deps);
  const { uid } = object.metadata;
  try {
    await deps.kube.delete(targetOf(type, object), {
      signal,
      deadlineMs: CALL_DEADLINE_MS,
      propagation: 'Background',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isAppError(error, 'notFound', 'conflict')) throw error;
    // A conflict means that the name now belongs to another object, unless it is still ours and was only changed.
    const found = await readObject(targetOf(type, object), deps, signal);
    if (found !== undefined && found.metadata.uid === uid) throw error;
  }
}

function targetOf(type: ResourceType, { metadata }: KubeObject): NamedTarget {
  const { name, namespace } = metadata;
  return { type, name, ...(namespace === undefined ? {} : { namespace }) };
}

function checkMayWrite(type: ResourceType, object: KubeObject, deps: ObjectDeps): void {
  if (deps.mayWrite()) return;
  throw new AppError('conflict', `write ${formatRef(aboutObject(type, object))}: this process no longer leads`);
}
