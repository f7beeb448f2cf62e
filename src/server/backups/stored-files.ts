import { createGunzip, gunzipSync } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { AppError, isAppError, isObject, objectAt, parseJson, textAt, type Json } from '../../base/index.ts';
import { Backup } from '../../api/index.ts';
import {
  formatOperationId,
  type OperationTree,
  type ProblemMessage,
  type TreeEntry,
} from '../../core/operations/index.ts';
import { backupKeys, getWhole, restoreKeys, type Store } from '../../edge/store/index.ts';
import type { ClusterPort } from '../ports.ts';

const MAX_RESULTS_BYTES = 16 * 1024 ** 2;
const MAX_RESULTS_TEXT = 128 * 1024 ** 2;

/** The store that holds the files of a backup, or of a restore of it. */
export async function storeOf(
  cluster: ClusterPort,
  tree: OperationTree,
  entry: TreeEntry,
  signal: AbortSignal,
): Promise<Store> {
  const location = locationOf(tree, entry);
  if (location === undefined) {
    throw new AppError(
      'notFound',
      `find the files of ${entry.operation.id}: it is not known in which location they are`,
    );
  }
  return (await cluster.stores.open(location, signal)).store;
}

function locationOf(tree: OperationTree, { operation, object }: TreeEntry): string | undefined {
  if (operation.ref.kind === Backup.kind) return textAt(object, 'spec', 'storageLocation');
  const name = operation.facts.backup;
  if (name === undefined) return undefined;
  const { cluster, ref } = operation;
  const id = formatOperationId({ cluster, kind: Backup.kind, namespace: ref.namespace ?? '', name });
  return textAt(tree.get(id)?.object, 'spec', 'storageLocation');
}

function keysOf({ operation }: TreeEntry): { logs: string; results: string } {
  const { kind, name } = operation.ref;
  return kind === Backup.kind ? backupKeys(name) : restoreKeys(name);
}

/** The stored log of an ended operation, as text. */
export async function* storedLog(store: Store, entry: TreeEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { body } = await store.get(keysOf(entry).logs, { signal });
  // Errors reach the loop below through gunzip, which the pipeline destroys with them.
  const text = pipeline(Readable.from(body), createGunzip(), () => undefined);
  for await (const chunk of text as AsyncIterable<Uint8Array>) yield chunk;
}

/** Every error and warning that the operation wrote down; empty when it wrote nothing. */
export async function storedProblems(store: Store, entry: TreeEntry, signal: AbortSignal): Promise<ProblemMessage[]> {
  let packed: Uint8Array;
  try {
    packed = await getWhole(store, keysOf(entry).results, { signal, maxBytes: MAX_RESULTS_BYTES });
  } catch (error) {
    if (isAppError(error, 'notFound')) return [];
    throw error;
  }
  const results = parseJson(gunzipSync(packed, { maxOutputLength: MAX_RESULTS_TEXT }).toString('utf8')) as Json;
  const levels = [
    ['errors', 'error'],
    ['warnings', 'warning'],
  ] as const;
  return levels.flatMap(([field, level]) => textsIn(objectAt(results, field)).map((text) => ({ level, text })));
}

/** `velero`, `cluster` and `namespaces.*` are lists of messages. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
