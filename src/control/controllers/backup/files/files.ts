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
  pluginBackups: JsonObject[];
  podVolumeBackups: JsonObject[];
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
    ['podVolumeBackups', someOf(files.podVolumeBackups)],
    ['volumeSnapshots', null],
    // Velero knows no such file, so there is none without a reason.
    ...(files.pluginBackups.length === 0 ? [] : [volumePlugins(files.pluginBackups)]),
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

function someOf(objects: JsonObject[]): JsonObject[] | null {
  return objects.length === 0 ? null : objects;
}

function volumePlugins(objects: JsonObject[]): [keyof BackupKeys, unknown] {
  return ['volumePluginBackups', objects];
}

/**
 * Removes what an attempt that did not end left behind, but for what is worth keeping for the next. Never called for a
 * backup whose metadata exists.
 */
export async function removeFiles(
  store: Store,
  name: string,
  call: CallOptions & { isKept?: (key: string) => boolean },
): Promise<void> {
  const { isKept = () => false } = call;
  const found: string[] = [];
  for await (const { key } of store.list(backupKeys(name).folder, call)) if (!isKept(key)) found.push(key);
  await deleteMany(store, found, call);
}
