import { isObject, objectAt, objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../progress/index.ts';
import { annotationsOf, withValue, withoutKeys } from './fields.ts';

/** The metadata that an object keeps; everything else belongs to the original, not to its copy. */
const KEPT = ['name', 'namespace', 'labels', 'annotations', 'finalizers'];
const STATUS_ANNOTATION = 'velero.io/restore-status';
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/** The object without status and without the original's metadata. */
export function resetItem(item: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(item, 'metadata')).filter(([key]) => KEPT.includes(key));
  return withValue({ ...item, metadata: Object.fromEntries(metadata) }, ['status'], undefined);
}

/** A namespace under its new name; an empty one if the backup has no object for it. */
export function resetNamespace(item: JsonObject | undefined, target: string): JsonObject {
  const namespace = resetItem(item ?? { apiVersion: 'v1', kind: 'Namespace', metadata: {} });
  // The server sets the label, and refuses any other value than the namespace's name.
  const unnamed = withoutKeys(namespace, ['metadata', 'labels'], [NAMESPACE_NAME_LABEL]);
  // Finalizers belong to the original namespace.
  const free = withValue(unnamed, ['metadata', 'finalizers'], undefined);
  return withValue(free, ['metadata', 'name'], target);
}

/** Why an item need not be restored, because its work was done; undefined if it must be. */
export function overReason(groupResource: string, item: JsonObject): string | undefined {
  const phase = textAt(item, 'status', 'phase');
  if (groupResource === 'pods' && (phase === 'Succeeded' || phase === 'Failed')) return 'the pod had ended';
  const isJob = groupResource === 'jobs.batch';
  return isJob && textAt(item, 'status', 'completionTime') !== undefined ? 'the job was completed' : undefined;
}

/** Why an item is not restored whatever the filters say; undefined if it is. */
export function skipReason(groupResource: string, item: JsonObject): string | undefined {
  switch (groupResource) {
    case 'pods':
      return MIRROR_ANNOTATION in annotationsOf(item) ? 'the pod is the mirror of a static one' : undefined;
    case 'datauploads.velero.io':
      return 'it tells where the data of a volume is, and is not an object of its own';
    default:
      return undefined;
  }
}

/**
 * The status to write back, if the user asked for it. The object's annotation, which modifiers may have set, takes
 * precedence over the spec.
 */
export function statusToRestore(itemFromBackup: JsonObject, item: JsonObject, isSelected: boolean): Json | undefined {
  const annotation = annotationsOf(item)[STATUS_ANNOTATION]?.trim().toLowerCase();
  const isWanted = annotation === 'true' || (annotation !== 'false' && isSelected);
  const status = valueAt(itemFromBackup, 'status');
  return isWanted && isObject(status) ? status : undefined;
}

/** Whether restoring an item takes more of its managedFields than `managedFieldsToRestore`: ports of services do. */
export function readsManagers({ groupResource }: Pick<ItemKey, 'groupResource'>): boolean {
  return groupResource === 'services';
}

/**
 * The field managers to patch back; undefined where it makes no difference: only a manager that applies compares with
 * what it applied before.
 */
export function managedFieldsToRestore(itemFromBackup: JsonObject): JsonObject[] | undefined {
  const fields = objectsAt(itemFromBackup, 'metadata', 'managedFields');
  return fields.some((entry) => entry.operation === 'Apply') ? fields : undefined;
}
