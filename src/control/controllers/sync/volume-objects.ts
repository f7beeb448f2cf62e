import { PodVolumeBackup, VolumePluginBackup, type ResourceType } from '../../../api/index.ts';
import { isAppError, isObject, messageOf, textAt, type JsonObject } from '../../../base/index.ts';
import { toImportedEnd } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { backupKeys, getJson, type Store } from '../../../edge/store/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';

/** As large as what a restore reads of the same files. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };
const MAX_TOLD = 3;

interface Imported {
  backup: KubeObject;
  location: string;
  store: Store;
  deps: Pick<ControlDeps, 'kube' | 'namespace'>;
  signal: AbortSignal;
}

/**
 * Creates the objects of a backup's volumes that are not in this cluster yet: ours, and Velero's. What is there stays as
 * it is. Returns what was wrong with the files.
 */
export async function importVolumeObjects(imported: Imported): Promise<string[]> {
  const keys = backupKeys(imported.backup.metadata.name);
  const problems = [
    ...(await importFile(VolumePluginBackup, keys.volumePluginBackups, imported)),
    ...(await importFile(PodVolumeBackup, keys.podVolumeBackups, imported)),
  ];
  const more = problems.length - MAX_TOLD;
  return more > 0 ? [...problems.slice(0, MAX_TOLD), `and ${more} more`] : problems;
}

async function importFile(type: ResourceType, key: string, imported: Imported): Promise<string[]> {
  let stored;
  try {
    stored = await getJson(imported.store, key, { ...LIMITS, signal: imported.signal });
  } catch (error) {
    if (isAppError(error, 'tooLarge', 'invalid')) return [messageOf(error)];
    throw error;
  }
  const { value } = stored ?? {};
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [`${key}: expected a list`];
  const problems: string[] = [];
  for (const entry of value) {
    const problem = isObject(entry) ? await importOne(type, entry, imported) : 'expected an object';
    if (problem !== undefined) problems.push(`${key}: ${problem}`);
  }
  return problems;
}

async function importOne(type: ResourceType, entry: JsonObject, imported: Imported): Promise<string | undefined> {
  const { backup, location, deps, signal } = imported;
  const { name, uid = '' } = backup.metadata;
  const { namespace, kube } = deps;
  const object = toImportedEnd(entry, type.kind, { namespace, backup: { name, uid }, location });
  if (object === undefined) return `${textAt(entry, 'metadata', 'name') ?? 'an entry'} is not of this backup`;
  try {
    const options = { signal, deadlineMs: CALL_DEADLINE_MS };
    await kube.create({ type, namespace }, object as unknown as KubeObject, options);
    return undefined;
  } catch (error) {
    if (isAppError(error, 'alreadyExists')) return undefined;
    if (isAppError(error, 'invalid', 'tooLarge', 'usage')) return messageOf(error);
    throw error;
  }
}
