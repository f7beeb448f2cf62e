import { stringifyJson, type JsonObject } from '../../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../../core/backup/index.ts';
import type { ResourceList, Results } from '../../../../core/selection/index.ts';
import {
  backupKeys,
  deleteMany,
  putBytes,
  putJson,
  type BackupKeys,
  type CallOptions,
  type Store,
} from '../../../../edge/store/index.ts';

export interface BackupFiles {
  resourceList: ResourceList;
  results: Results;
  volumeInfo: BackupVolumeInfo[];
  log: () => AsyncIterable<Uint8Array>;
  /** The Backup itself, with its last status. */
  metadata: JsonObject;
}

/** Everything of a backup except the archive. The metadata comes last: a visible backup is complete. */
export async function writeFiles(store: Store, name: string, files: BackupFiles, call: CallOptions): Promise<void> {
  const keys = backupKeys(name);
  const gzipped: [keyof BackupKeys, unknown][] = [
    ['resourceList', files.resourceList],
    ['results', files.results],
    ['volumeInfo', files.volumeInfo],
    // What Velero itself writes when there are none.
    ['podVolumeBackups', null],
    ['volumeSnapshots', null],
    ['itemOperations', []],
  ];
  const writes = await Promise.allSettled([
    store.put(keys.logs, files.log, call),
    ...gzipped.map(([key, value]) => putJson(store, keys[key], value, call)),
  ]);
  // Only when none is in flight any more: the caller removes the others then.
  const failed = writes.find((write) => write.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await putBytes(store, keys.metadata, Buffer.from(stringifyJson(files.metadata)), call);
}

/** Removes what an attempt that did not end left behind. Never called for a backup whose metadata exists. */
export async function removeFiles(store: Store, name: string, call: CallOptions): Promise<void> {
  const found: string[] = [];
  for await (const { key } of store.list(backupKeys(name).folder, call)) found.push(key);
  await deleteMany(store, found, call);
}
