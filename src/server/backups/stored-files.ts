import { AppError, formatBytes, textAt } from '../../base/index.ts';
import { Backup } from '../../api/index.ts';
import { formatOperationId, type OperationTree, type TreeEntry } from '../../core/operations/index.ts';
import { backupKeys, restoreKeys, unpack } from '../../edge/store/index.ts';
import type { ClusterPort, OpenStore } from '../ports.ts';

/** A backup of a million items writes less. */
const MAX_LOG_BYTES = 1024 ** 3;

/** The store that holds the files of a backup, or of a restore of it. */
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

function locationOf(tree: OperationTree, { operation, object }: TreeEntry): string | undefined {
  if (operation.ref.kind === Backup.kind) return textAt(object, 'spec', 'storageLocation');
  const name = operation.facts.backup;
  if (name === undefined) return undefined;
  const { cluster, ref } = operation;
  const id = formatOperationId({ cluster, kind: Backup.kind, namespace: ref.namespace ?? '', name });
  return textAt(tree.get(id)?.object, 'spec', 'storageLocation');
}

export function keysOf({ operation }: TreeEntry): { logs: string; results: string } {
  const { kind, name } = operation.ref;
  return kind === Backup.kind ? backupKeys(name) : restoreKeys(name);
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
