import {
  AppError,
  isAppError,
  isObject,
  messageOf,
  objectAt,
  parseJson,
  textAt,
  without,
  type JsonObject,
} from '../../../base/index.ts';
import type { BackupPhase } from '../../../api/index.ts';
import { isEnded } from '../../../core/backup/index.ts';
import type { ArchiveSummary } from '../../../edge/archive/index.ts';
import { backupKeys, getWhole, type Store } from '../../../edge/store/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';

/** What velero-backup.json says of a backup. */
export interface StoredBackup {
  uid: string;
  status: JsonObject;
  /** Its status is a last one, so everything is in the store. */
  isEnded: boolean;
  /** Of the archive, as recorded when it was written; Velero records none. */
  sha256: string | undefined;
  items: number | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Undefined when there is no such backup. */
export async function readMetadata(store: Store, name: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await getWhole(store, backupKeys(name).metadata, { signal, maxBytes: MAX_BYTES });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
  const object = parse(bytes, name);
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

/** The Backup as it stands beside its archive, from which any cluster can make it again. */
export function metadataFor(backup: KubeObject, status: JsonObject, archive: ArchiveSummary): JsonObject {
  const { items, sha256 } = archive;
  return {
    ...backup,
    metadata: without(backup.metadata, 'managedFields'),
    status: { ...status, archive: { items, ...(sha256 === undefined ? {} : { sha256 }) } },
  };
}

function parse(bytes: Uint8Array, name: string): JsonObject {
  try {
    const value = parseJson(Buffer.from(bytes).toString('utf8'));
    if (isObject(value)) return value;
    throw new Error('expected an object');
  } catch (cause) {
    throw new AppError('invalid', `read velero-backup.json of backup ${name}: ${messageOf(cause)}`, { cause });
  }
}
