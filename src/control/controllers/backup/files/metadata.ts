import { AppError, isObject, objectAt, textAt, without, type JsonObject } from '../../../../base/index.ts';
import type { BackupPhase } from '../../../../api/index.ts';
import { isEnded } from '../../../../core/backup/index.ts';
import type { ArchiveSummary } from '../../../../edge/archive/index.ts';
import { backupKeys, getJson, METADATA_LIMITS, type Store } from '../../../../edge/store/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';

/** What velero-backup.json says about a backup. */
export interface StoredBackup {
  uid: string;
  status: JsonObject;
  /** Its status is final, so everything is in the store. */
  isEnded: boolean;
  /** Hash of the archive, recorded when it was written; Velero records none. */
  sha256: string | undefined;
  items: number | undefined;
}

/** Undefined when there is no such backup. */
export async function readMetadata(store: Store, name: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
  const key = backupKeys(name).metadata;
  const found = await getJson(store, key, { ...METADATA_LIMITS, signal });
  if (found === undefined) return undefined;
  const object = found.value;
  if (!isObject(object)) throw new AppError('invalid', `read ${key} from ${store.where}: expected an object`);
  const status = objectAt(object, 'status');
  const { items } = objectAt(status, 'archive');
  return {
    uid: textAt(object, 'metadata', 'uid') ?? '',
    status,
    isEnded: isEnded(textAt(status, 'phase') as BackupPhase | undefined),
    sha256: textAt(status, 'archive', 'sha256'),
    items: typeof items === 'number' ? items : undefined,
  };
}

/** The Backup as stored beside its archive, from which any cluster can recreate it. */
export function metadataFor(backup: KubeObject, status: JsonObject, archive: ArchiveSummary): JsonObject {
  return {
    ...backup,
    metadata: without(backup.metadata, 'managedFields'),
    status: { ...status, archive: archiveStatus(archive) },
  };
}

/** What the archive was when it was written; its size is not the backup's, which may have volumes. */
export function archiveStatus({ items, sha256, archiveBytes }: ArchiveSummary): JsonObject {
  return { items, bytes: archiveBytes, ...(sha256 === undefined ? {} : { sha256 }) };
}
