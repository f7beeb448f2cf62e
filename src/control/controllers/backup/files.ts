import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringifyJson, type JsonObject } from '../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../core/backup/index.ts';
import { backupKeys, deleteMany, type BackupKeys, type CallOptions, type Store } from '../../../edge/store/index.ts';
import type { ResourceList, Results } from '../../../core/selection/index.ts';

export interface BackupFiles {
  resourceList: ResourceList;
  results: Results;
  volumeInfo: BackupVolumeInfo[];
  log: () => AsyncIterable<Uint8Array>;
  /** The Backup itself, with its last status. */
  metadata: JsonObject;
}

const compress = promisify(gzip);

/** Everything of a backup beside the archive. The metadata comes last: a backup that can be seen is whole. */
export async function writeFiles(store: Store, name: string, files: BackupFiles, call: CallOptions): Promise<void> {
  const keys = backupKeys(name);
  const gzipped: [keyof BackupKeys, unknown][] = [
    ['resourceList', files.resourceList],
    ['results', files.results],
    ['volumeInfo', files.volumeInfo],
    // What real Velero writes when there are none.
    ['podVolumeBackups', null],
    ['volumeSnapshots', null],
    ['itemOperations', []],
  ];
  await Promise.all([
    store.put(keys.logs, files.log, call),
    ...gzipped.map(async ([key, value]) => {
      const bytes = await compress(`${JSON.stringify(value)}\n`);
      await store.put(keys[key], () => once(bytes), call);
    }),
  ]);
  const metadata = Buffer.from(stringifyJson(files.metadata));
  await store.put(keys.metadata, () => once(metadata), call);
}

/** What an attempt left that did not end. Never called for a backup whose metadata is there. */
export async function removeFiles(store: Store, name: string, call: CallOptions): Promise<void> {
  const found: string[] = [];
  for await (const { key } of store.list(backupKeys(name).folder, call)) found.push(key);
  await deleteMany(store, found, call);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
