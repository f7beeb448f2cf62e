import { CUSTOM_RESOURCE_DEFINITION, type ResourceType } from '../../api/index.ts';
import {
  AppError,
  isAppError,
  isObject,
  objectAt,
  objectsAt,
  textAt,
  valueAt,
  type JsonObject,
} from '../../base/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

const INSTALL = 'Run: headway install --crds-only';
const DEADLINE_MS = 10_000;

function nameOf({ plural, group }: ResourceType): string {
  return `${plural}.${group}`;
}

/** Why a kind is not in the cluster; undefined when it is, and when that may not be asked. */
export async function absenceOf(kube: Kube, type: ResourceType, signal: AbortSignal): Promise<string | undefined> {
  try {
    const crd = await definitionOf(kube, type, signal);
    if (crd === undefined) return `the cluster has no CRD ${nameOf(type)}`;
    const { version } = type;
    return versionOf(crd, type) === undefined ? `the CRD ${nameOf(type)} has no version ${version}` : undefined;
  } catch (error) {
    if (isAppError(error, 'forbidden')) return undefined;
    throw error;
  }
}

/**
 * What keeps an engine from working on a kind: with other definitions the API server would throw away percent, stage and
 * conditions without a word. Undefined when nothing does.
 */
export async function unfitFor(kube: Kube, type: ResourceType, signal: AbortSignal): Promise<AppError | undefined> {
  const crd = await definitionOf(kube, type, signal);
  if (crd === undefined) {
    return new AppError('notFound', `the cluster has no CRD ${nameOf(type)}`, { details: { hint: INSTALL } });
  }
  const status = ['schema', 'openAPIV3Schema', 'properties', 'status'];
  const version = versionOf(crd, type);
  const progress = objectAt(version, ...status, 'properties', 'progress', 'properties');
  // Upstream's own CRDs keep nothing they do not know; a schema that keeps everything is as good as ours.
  const keepsAll = valueAt(version, ...status, 'x-kubernetes-preserve-unknown-fields') === true;
  if (keepsAll || isObject(progress['percent'])) return undefined;
  return new AppError('invalidConfig', `the cluster's CRD ${nameOf(type)} does not know Headway's fields of progress`, {
    details: { hint: INSTALL },
  });
}

async function definitionOf(kube: Kube, type: ResourceType, signal: AbortSignal): Promise<KubeObject | undefined> {
  try {
    const target = { type: CUSTOM_RESOURCE_DEFINITION, name: nameOf(type) };
    return await kube.get(target, { signal, deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

function versionOf(crd: KubeObject, { version }: ResourceType): JsonObject | undefined {
  return objectsAt(crd['spec'], 'versions').find(
    (entry) => textAt(entry, 'name') === version && valueAt(entry, 'served') !== false,
  );
}
