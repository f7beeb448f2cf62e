import { AppError, formatBytes, textAt } from '../../base/index.ts';
import { BACKUP } from '../../api/resource-types.ts';
import {
  formatOperationId,
  type OperationTree,
  type StoredFiles,
  type TreeEntry,
} from '../../core/operations/index.ts';
import { backupKeys, restoreKeys, unpack } from '../../edge/store/index.ts';
import type { ClusterPort, OpenStore } from '../ports.ts';

/** A backup of a million items writes less. */
const MAX_LOG_BYTES = 1024 ** 3;

interface Keys {
  logs: string;
  results: string;
}

const KEYS: Readonly<Record<StoredFiles['folder'], (name: string) => Keys>> = {
  backups: backupKeys,
  restores: restoreKeys,
};

/** The store that holds the files of an operation, such as a backup or a restore of it. */
export async function storeOf(
  cluster: ClusterPort,
  tree: OperationTree,
  entry: TreeEntry,
  signal: AbortSignal,
): Promise<OpenStore> {
  const location = locationOf(tree, entry);
  if (location === undefined) {
    throw new AppError(
      'notFound',
      `find the files of ${entry.operation.id}: it is not known in which location they are`,
    );
  }
  return await cluster.stores.open(location, signal);
}

/** Its own location, else that of the backup that it is of. */
function locationOf(tree: OperationTree, { adapter, operation, object }: TreeEntry): string | undefined {
  if (adapter.files === undefined) return undefined;
  const own = textAt(object, 'spec', 'storageLocation');
  const name = operation.facts.backup;
  if (own !== undefined || name === undefined) return own;
  const { cluster, ref } = operation;
  const id = formatOperationId({ cluster, kind: BACKUP.kind, namespace: ref.namespace ?? '', name });
  return textAt(tree.get(id)?.object, 'spec', 'storageLocation');
}

export function keysOf({ adapter, operation }: TreeEntry): Keys {
  const { id, ref } = operation;
  if (adapter.files === undefined) throw new AppError('notFound', `find the files of ${id}: a ${ref.kind} has none`);
  return KEYS[adapter.files.folder](ref.name);
}

/** The stored log of an ended operation, as text. Lets the store go when it has been read, or is no longer wanted. */
export async function* storedLog(opened: OpenStore, entry: TreeEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  using inUse = opened;
  const { body } = await inUse.store.get(keysOf(entry).logs, { signal });
  let bytes = 0;
  for await (const part of unpack(body)) {
    bytes += part.length;
    if (bytes > MAX_LOG_BYTES) {
      yield Buffer.from(`\nThe log is cut here: it has more than ${formatBytes(MAX_LOG_BYTES)}.\n`);
      return;
    }
    yield part;
  }
}
