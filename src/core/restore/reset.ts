import { isObject, objectAt, objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';
import { annotationsOf, withValue, withoutKeys } from './fields.ts';

/** What of its metadata an object keeps; everything else belongs to the object that was backed up, not to its copy. */
const KEPT = ['name', 'namespace', 'labels', 'annotations', 'finalizers'];
const STATUS_ANNOTATION = 'velero.io/restore-status';
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/** The object without status and without the metadata of its first life. */
export function resetItem(item: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(item, 'metadata')).filter(([key]) => KEPT.includes(key));
  return withValue({ ...item, metadata: Object.fromEntries(metadata) }, ['status'], undefined);
}

/** A namespace under its new name; without an object in the backup, a blank one. */
export function resetNamespace(item: JsonObject | undefined, target: string): JsonObject {
  const namespace = resetItem(item ?? { apiVersion: 'v1', kind: 'Namespace', metadata: {} });
  // The server writes the label, and refuses another name than the namespace's.
  const unnamed = withoutKeys(namespace, ['metadata', 'labels'], [NAMESPACE_NAME_LABEL]);
  return withValue(unnamed, ['metadata', 'name'], target);
}

/** Why an item is not restored whatever the filters say, or undefined. */
export function skipReason(groupResource: string, item: JsonObject): string | undefined {
  switch (groupResource) {
    case 'pods': {
      const phase = textAt(item, 'status', 'phase');
      if (phase === 'Succeeded' || phase === 'Failed') return 'the pod had ended';
      return MIRROR_ANNOTATION in annotationsOf(item) ? 'the pod is the mirror of a static one' : undefined;
    }
    case 'jobs.batch':
      return textAt(item, 'status', 'completionTime') === undefined ? undefined : 'the job was completed';
    case 'datauploads.velero.io':
      return 'it tells where the data of a volume is, and is not an object of its own';
    default:
      return undefined;
  }
}

/** The status to write back, if the user asked for it. The annotation of the object goes before the spec. */
export function statusToRestore(item: JsonObject, isSelected: boolean): Json | undefined {
  const annotation = annotationsOf(item)[STATUS_ANNOTATION];
  const isWanted = annotation === 'true' || (annotation !== 'false' && isSelected);
  const status = valueAt(item, 'status');
  return isWanted && isObject(status) ? status : undefined;
}

/**
 * Who owns which field, to be patched back, or undefined where it makes no difference: only a manager that applies
 * compares with what it applied before.
 */
export function managedFieldsToRestore(itemFromBackup: JsonObject): JsonObject[] | undefined {
  const fields = objectsAt(itemFromBackup, 'metadata', 'managedFields');
  return fields.some((entry) => entry.operation === 'Apply') ? fields : undefined;
}
