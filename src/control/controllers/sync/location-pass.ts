import { Backup, BackupStorageLocation } from '../../../api/index.ts';
import { cleanText, isAppError, messageOf, textAt, type Json } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import {
  BACKUPS,
  backupKeys,
  exists,
  getJson,
  METADATA_LIMITS,
  nameInFolder,
  type Store,
} from '../../../edge/store/index.ts';
import type { Caches } from '../caches.ts';
import { aboutObject, deleteObject, inParallel, readObject } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { decideImport } from './decide-import.ts';
import { isTooMany, type MissingBackups } from './missing-backups.ts';
import { Problems } from './problems.ts';
import { importVolumeObjects } from './volume-objects.ts';

/** What one pass over a location found. */
export interface PassResult {
  imported: string[];
  removed: string[];
  /** Folders without a readable backup, and why. */
  problems: Problems;
  /** Set when backups are gone from the store, but too many to remove their objects. */
  held?: { gone: number; all: number };
}

export interface PassDeps {
  deps: ControlDeps;
  caches: Pick<Caches, 'backups' | 'deleteRequests'>;
  missing: MissingBackups;
  /** The uids of Backups whose volumes have their objects here; a process looks once at each. */
  volumesSeen: Set<string>;
  signal: AbortSignal;
}

const AT_ONCE = 8;
/** Only backups in these phases are known to have been in the store. */
const STORED = ['Completed', 'PartiallyFailed'];

export interface PassInput {
  location: KubeObject;
  store: Store;
  /** How often the location is checked. */
  everyMs: number;
  /** Also when more than half would be removed. */
  mayRemoveMany: boolean;
}

/** One pass over a location: imports what is new, removes what is gone for good. */
export async function passOver(input: PassInput, pass: PassDeps): Promise<PassResult> {
  const result: PassResult = { imported: [], removed: [], problems: new Problems() };
  const stored = new Set<string>();
  for await (const folder of input.store.listPrefixes(BACKUPS, { signal: pass.signal })) {
    const name = nameInFolder(BACKUPS, folder);
    if (name !== undefined) stored.add(name);
  }
  const fresh = await importNew(stored, input, pass, result);
  const known = [...pass.caches.backups.values()].filter(
    (one) => stored.has(one.metadata.name) && isStoredIn(one, input.location.metadata.name),
  );
  await importVolumes([...known, ...fresh], input, pass, result);
  await removeGone(stored, input, pass, result);
  return result;
}

async function importNew(
  stored: ReadonlySet<string>,
  { location, store }: PassInput,
  pass: PassDeps,
  result: PassResult,
): Promise<KubeObject[]> {
  const { deps, caches } = pass;
  const fresh: KubeObject[] = [];
  const known = new Set([...caches.backups.values()].map(({ metadata }) => metadata.name));
  // A backup that is being deleted must not come back.
  for (const request of caches.deleteRequests.values()) {
    if (textAt(request, 'status', 'phase') !== 'Processed') known.add(textAt(request, 'spec', 'backupName') ?? '');
  }
  const place = { namespace: deps.namespace, location: location.metadata.name };
  for (const problem of namesTaken(stored, caches.backups.values(), place.location)) result.problems.add(problem);
  await inParallel(
    [...stored].filter((name) => !known.has(name)),
    AT_ONCE,
    async (name) => {
      const metadata = await metadataOf(name, store, pass.signal);
      if (metadata === undefined) return;
      const decision =
        'problem' in metadata ? ({ kind: 'problem', ...metadata } as const) : decideImport(name, metadata.value, place);
      if (decision.kind === 'later') return;
      if (decision.kind === 'import' && decision.unknown.length > 0) {
        deps.log.warn('a backup has fields that are not known here', {
          backup: name,
          fields: cleanText(decision.unknown.join(', ')),
        });
      }
      const created =
        decision.kind === 'problem' ? decision.problem : await createBackup(decision.backup, store, pass, result);
      if (typeof created === 'string') result.problems.add(`${BACKUPS}${name}: ${created}`);
      else if (created !== undefined) fresh.push(created);
    },
  );
  return fresh;
}

/** Also of Backups that were imported earlier, by a version that knew no volumes, or by Velero. */
async function importVolumes(
  found: readonly KubeObject[],
  { location, store }: PassInput,
  { deps, caches, volumesSeen, signal }: PassDeps,
  result: PassResult,
): Promise<void> {
  const backups = new Map(found.map((backup) => [backup.metadata.uid ?? '', backup]));
  const uids = new Set([...caches.backups.values()].map(({ metadata }) => metadata.uid));
  for (const uid of volumesSeen) if (!uids.has(uid)) volumesSeen.delete(uid);
  const unseen = [...backups].filter(([uid]) => !volumesSeen.has(uid));
  await inParallel(unseen, AT_ONCE, async ([uid, backup]) => {
    const problems = await importVolumeObjects({ backup, location: location.metadata.name, store, deps, signal });
    for (const problem of problems) result.problems.add(problem);
    // Files with problems are read again, so that the problems stay to be seen.
    if (problems.length === 0) volumesSeen.add(uid);
  });
}

/** A name is one object, whatever its location. Without a message the backup would seem to be imported. */
function namesTaken(stored: ReadonlySet<string>, backups: Iterable<KubeObject>, location: string): string[] {
  return [...backups].flatMap((backup) => {
    const { name } = backup.metadata;
    const other = textAt(backup, 'spec', 'storageLocation');
    if (!stored.has(name) || other === undefined || other === location) return [];
    return [`${BACKUPS}${name}: its name is that of a backup in location ${other}`];
  });
}

/** Undefined when there is none. */
async function metadataOf(
  name: string,
  store: Store,
  signal: AbortSignal,
): Promise<{ value: Json } | { problem: string } | undefined> {
  try {
    return await getJson(store, backupKeys(name).metadata, { ...METADATA_LIMITS, signal });
  } catch (error) {
    if (isAppError(error, 'tooLarge', 'invalid')) return { problem: error.message };
    throw error;
  }
}

/** Returns the object, or the problem; undefined if there is neither. */
async function createBackup(
  backup: KubeObject,
  store: Store,
  { deps, signal }: PassDeps,
  result: PassResult,
): Promise<KubeObject | string | undefined> {
  const { name } = backup.metadata;
  let created: KubeObject;
  try {
    created = await deps.kube.create({ type: Backup, namespace: deps.namespace }, backup, { signal });
  } catch (error) {
    if (isAppError(error, 'alreadyExists')) return undefined;
    if (isAppError(error, 'invalid', 'tooLarge', 'usage')) return messageOf(error);
    throw error;
  }
  // It may have been deleted since it was read, and must not come back as an object without files.
  if (!(await exists(store, backupKeys(name).metadata, { signal }))) {
    await deleteObject({ type: Backup, object: created, deps, signal });
    return undefined;
  }
  result.imported.push(name);
  return created;
}

async function removeGone(
  stored: ReadonlySet<string>,
  { location, store, everyMs, mayRemoveMany }: PassInput,
  pass: PassDeps,
  result: PassResult,
): Promise<void> {
  const { deps, caches, missing, signal } = pass;
  const ours = [...caches.backups.values()].filter((backup) => isStoredIn(backup, location.metadata.name));
  const absent = ours.filter(({ metadata }) => !stored.has(metadata.name));
  const uids = new Set(absent.map(({ metadata }) => metadata.uid ?? ''));
  const twice = missing.again(location.metadata.uid ?? '', uids, deps.clock.now(), everyMs / 2);
  const gone: KubeObject[] = [];
  await inParallel(
    absent.filter(({ metadata }) => twice.has(metadata.uid ?? '')),
    AT_ONCE,
    async (backup) => {
      if (!(await exists(store, backupKeys(backup.metadata.name).metadata, { signal }))) gone.push(backup);
    },
  );
  if (gone.length === 0) return;
  if (isTooMany(gone.length, ours.length) && !mayRemoveMany) {
    result.held = { gone: gone.length, all: ours.length };
    return;
  }
  for (const backup of gone) {
    const target = { type: Backup, namespace: deps.namespace, name: backup.metadata.name };
    const fresh = await readObject(target, deps, signal);
    if (fresh === undefined || fresh.metadata.uid !== backup.metadata.uid) continue;
    if (!isStoredIn(fresh, location.metadata.name)) continue;
    await deleteObject({ type: Backup, object: fresh, deps, signal });
    result.removed.push(backup.metadata.name);
  }
  deps.log.info('backups are gone from the store', {
    location: location.metadata.name,
    removed: result.removed.length,
  });
  const message = `Removed ${result.removed.length} backups that are no longer in the store: ${result.removed.slice(0, 10).join(', ')}`;
  deps.events.record({
    type: 'Normal',
    reason: 'BackupsGone',
    message,
    about: aboutObject(BackupStorageLocation, location),
  });
}

/** Whether a backup ran and has its files, complete or not, in that location. */
export function belongsTo(backup: KubeObject, location: string): boolean {
  const hasFailed = textAt(backup, 'status', 'phase') === 'Failed' && hasRun(backup);
  return isStoredIn(backup, location) || (hasFailed && textAt(backup, 'spec', 'storageLocation') === location);
}

function hasRun(backup: KubeObject): boolean {
  return textAt(backup, 'status', 'startTimestamp') !== undefined && backup.metadata.deletionTimestamp === undefined;
}

/** Whether its object says that its files are in that location. */
function isStoredIn(backup: KubeObject, location: string): boolean {
  return (
    textAt(backup, 'spec', 'storageLocation') === location &&
    STORED.includes(textAt(backup, 'status', 'phase') ?? '') &&
    backup.metadata.deletionTimestamp === undefined
  );
}
