import { isAppError, isObject, messageOf, textAt, type Json } from '../../../../base/index.ts';
import { inTurns, type Archive } from '../../../../edge/archive/index.ts';
import { backupKeys, getJson, type Store } from '../../../../edge/store/index.ts';
import type { Problems } from './problems.ts';

/** A Kubernetes name with its namespace, a comma and quotes. */
const NAME_BYTES = 400;
const SPARE_BYTES = 1024 ** 2;
const SPARE_VALUES = 10_000;

/** Names by kind, such as `apps/v1/Deployment`; a string says why there are none. */
type ReadList = ReadonlyMap<string, Set<string>> | string;

/** The file that lists what a backup contains. A file much longer than the archive is wrong in any case. */
export async function readResourceList(
  store: Store,
  name: string,
  { archive, signal }: { archive: Archive; signal: AbortSignal },
): Promise<ReadList> {
  const { items } = archive.counts;
  const maxBytes = items * NAME_BYTES + SPARE_BYTES;
  const maxValues = 2 * items + SPARE_VALUES;
  try {
    const key = backupKeys(name).resourceList;
    const found = await getJson(store, key, { signal, isGzipped: true, maxBytes, maxValues });
    if (found === undefined) return 'there is no resource list';
    return await namesByKind(found.value);
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error) && error.facts.family === 'transient') throw error;
    return `the resource list cannot be read: ${messageOf(error)}`;
  }
}

async function namesByKind(list: Json): Promise<ReadList> {
  if (!isObject(list)) return 'the resource list is no object';
  const byKind = new Map<string, Set<string>>();
  for await (const [kind, names] of inTurns(Object.entries(list))) {
    const set = new Set<string>();
    byKind.set(kind, set);
    if (Array.isArray(names)) for await (const name of inTurns(names)) if (typeof name === 'string') set.add(name);
  }
  return byKind;
}

/** Removes the names that it finds from the list. */
export async function compareWithList(archive: Archive, list: ReadList, problems: Problems): Promise<void> {
  if (typeof list === 'string') {
    problems.add(list);
    return;
  }
  for await (const key of archive.entries()) {
    const object = await archive.read(key);
    const kind = `${textAt(object, 'apiVersion') ?? ''}/${textAt(object, 'kind') ?? ''}`;
    const name = key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
    if (list.get(kind)?.delete(name) !== true)
      problems.add(`${kind} ${name} is in the archive but not in the resource list`);
  }
  for (const [kind, names] of list) {
    for await (const name of inTurns(names))
      problems.add(`${kind} ${name} is in the resource list but not in the archive`);
  }
}
