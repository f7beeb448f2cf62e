import type { PodVolumeBackup, VolumePluginBackup } from '../../../api/index.ts';
import {
  isObject,
  isObjectName,
  labelValue,
  objectAt,
  own,
  textAt,
  without,
  type JsonObject,
} from '../../../base/index.ts';
import { isVolumeEnded, readVolumePhase } from './phases.ts';

/** What belongs to one cluster and means nothing in another. */
const OF_THE_CLUSTER = ['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink'];

/** The object as it stands in `-volumepluginbackups.json.gz` or `-podvolumebackups.json.gz`. */
export function toStored(object: VolumePluginBackup | PodVolumeBackup): JsonObject {
  const { metadata, ...rest } = object as unknown as JsonObject & { metadata: JsonObject };
  return { ...rest, metadata: without(metadata, ...OF_THE_CLUSTER) };
}

/** Where a stored object is created. */
export interface ImportTarget {
  namespace: string;
  backup: { name: string; uid: string };
  location: string;
}

/**
 * A stored object for another cluster: it belongs to the Backup there. Undefined for one that names another backup,
 * because whoever may write to the location must not place objects under other backups.
 */
export function toImported(object: JsonObject, target: ImportTarget): JsonObject | undefined {
  const metadata = (own(object, 'metadata') ?? {}) as JsonObject;
  const kind = own(object, 'kind');
  const name = own(metadata, 'name');
  const spec = (own(object, 'spec') ?? {}) as JsonObject;
  if (typeof name !== 'string' || (kind !== 'VolumePluginBackup' && kind !== 'PodVolumeBackup')) return undefined;
  if (kind === 'VolumePluginBackup' && own(spec, 'backup') !== target.backup.name) return undefined;
  if (!isObjectName(name) || !isObject(spec)) return undefined;
  const { name: owner, uid } = target.backup;
  const labels = (own(metadata, 'labels') ?? {}) as JsonObject;
  return {
    ...object,
    apiVersion: 'velero.io/v1',
    metadata: {
      ...without(metadata, ...OF_THE_CLUSTER, 'finalizers', 'deletionTimestamp', 'deletionGracePeriodSeconds'),
      namespace: target.namespace,
      labels: { ...labels, 'velero.io/backup-name': labelValue(owner), 'velero.io/backup-uid': uid },
      ownerReferences: [{ apiVersion: 'velero.io/v1', kind: 'Backup', name: owner, uid, controller: true }],
    },
    spec: kind === 'PodVolumeBackup' ? { ...spec, backupStorageLocation: target.location } : spec,
  };
}

const NOT_ENDED = 'it had not ended when its backup was stored';

/**
 * The same, of one kind, and at its end: an object without an end is a request, and a plugin or Velero would take it
 * for one.
 */
export function toImportedEnd(object: JsonObject, kind: string, target: ImportTarget): JsonObject | undefined {
  // Velero leaves out the kind of what it stores.
  const typed = own(object, 'kind') === undefined ? { ...object, kind } : object;
  const imported = typed['kind'] === kind ? toImported(typed, target) : undefined;
  if (imported === undefined) return undefined;
  const status = objectAt(imported, 'status');
  if (isVolumeEnded(readVolumePhase(textAt(status, 'phase')))) return { ...imported, status };
  return { ...imported, status: { ...status, phase: 'Failed', message: textAt(status, 'message') ?? NOT_ENDED } };
}
