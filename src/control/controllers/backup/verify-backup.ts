import { gunzipSync } from 'node:zlib';
import { isAppError, isObject, messageOf, parseJson, textAt, type JsonObject } from '../../../base/index.ts';
import { VELERO_LAYOUT } from '../../../core/backup/index.ts';
import { openArchive, type Archive } from '../../../edge/archive/index.ts';
import { backupKeys, getWhole, type Store } from '../../../edge/store/index.ts';
import { readMetadata, type StoredBackup } from './metadata.ts';
import { resourceList, type ResourceList } from '../../../core/selection/index.ts';

export interface Verification {
  /** As recorded when the archive was written; absent for backups that Velero made. */
  sha256Expected?: string;
  sha256Found: string;
  /** Items that were read from the archive. */
  entries: number;
  problems: string[];
  ok: boolean;
}

const MAX_LIST_BYTES = 256 * 1024 * 1024;
const MAX_PROBLEMS = 100;

/** Reads a whole backup again and compares it with what was recorded of it: checksum, items, resource list. */
export async function verifyBackup(
  store: Store,
  name: string,
  options: { spoolPath: string; signal: AbortSignal },
): Promise<Verification> {
  const { spoolPath, signal } = options;
  const stored = await readMetadata(store, name, signal);
  if (stored === undefined) return failed(`there is no backup ${name} in ${store.where}`);
  let archive: Archive;
  try {
    const { body } = await store.get(backupKeys(name).contents, { signal });
    archive = await openArchive(body, { layout: VELERO_LAYOUT, spoolPath, signal });
  } catch (error) {
    signal.throwIfAborted();
    // A store that does not answer says nothing about the backup.
    if (!isAppError(error, 'notFound', 'invalid', 'tooLarge')) throw error;
    return { ...failed(error.message), ...expectation(stored) };
  }
  try {
    const problems = [
      ...checksumProblems(stored, archive),
      ...archive.problems.map(({ error }) => error.message),
      ...listProblems(await recordedList(store, name, signal), await listOf(archive)),
    ];
    return {
      ...expectation(stored),
      sha256Found: archive.sha256,
      entries: archive.counts.items,
      problems: cut(problems),
      ok: problems.length === 0,
    };
  } finally {
    await archive.close();
  }
}

function checksumProblems({ sha256, items }: StoredBackup, archive: Archive): string[] {
  return [
    ...(sha256 === undefined || sha256 === archive.sha256
      ? []
      : [`the archive's sha256 is ${archive.sha256}, but ${sha256} was recorded when it was written`]),
    ...(items === undefined || items === archive.counts.items
      ? []
      : [`the archive has ${archive.counts.items} items, but ${items} were recorded when it was written`]),
  ];
}

async function listOf(archive: Archive): Promise<ResourceList> {
  const found = [];
  for (const { namespace, name, ...key } of archive.entries()) {
    const object = await archive.read(namespace === undefined ? { ...key, name } : { ...key, namespace, name });
    const [apiVersion = '', kind = ''] = [textAt(object, 'apiVersion'), textAt(object, 'kind')];
    found.push({ apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) });
  }
  return resourceList(found);
}

async function recordedList(store: Store, name: string, signal: AbortSignal): Promise<JsonObject | string> {
  try {
    const bytes = await getWhole(store, backupKeys(name).resourceList, { signal, maxBytes: MAX_LIST_BYTES });
    const list = parseJson(gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES }).toString('utf8'));
    return isObject(list) ? list : 'the resource list is no object';
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error) && error.facts.family === 'transient') throw error;
    return `the resource list cannot be read: ${messageOf(error)}`;
  }
}

function listProblems(recorded: JsonObject | string, found: ResourceList): string[] {
  if (typeof recorded === 'string') return [recorded];
  const kinds = new Set([...Object.keys(recorded), ...Object.keys(found)]);
  return [...kinds].flatMap((kind) => {
    const names = recorded[kind];
    const listed = new Set(Array.isArray(names) ? names.map(String) : []);
    const present = new Set(found[kind]);
    const [lost, added] = [minus(listed, present), minus(present, listed)];
    return [
      ...lost.map((name) => `${kind} ${name} is in the resource list but not in the archive`),
      ...added.map((name) => `${kind} ${name} is in the archive but not in the resource list`),
    ];
  });
}

function minus(names: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !others.has(name));
}

function cut(problems: readonly string[]): string[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS), `and ${problems.length - MAX_PROBLEMS} more`];
}

function expectation({ sha256 }: StoredBackup): { sha256Expected?: string } {
  return sha256 === undefined ? {} : { sha256Expected: sha256 };
}

function failed(problem: string): Verification {
  return { sha256Found: '', entries: 0, problems: [problem], ok: false };
}
