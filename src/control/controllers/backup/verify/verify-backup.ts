import { isAppError } from '../../../../base/index.ts';
import { checkToldVersion, VELERO_LAYOUT } from '../../../../core/backup/index.ts';
import { openArchive, type Archive } from '../../../../edge/archive/index.ts';
import { backupKeys, type Store } from '../../../../edge/store/index.ts';
import { compareWithList, readResourceList } from './compare-list.ts';
import { readMetadata, type StoredBackup } from '../files/metadata.ts';
import { Problems } from './problems.ts';

export interface Verification {
  /** Recorded when the archive was written; absent for backups that Velero made. */
  sha256Expected?: string;
  sha256Found: string;
  /** Items read from the archive. */
  entries: number;
  problems: string[];
  /** What may be missed in a backup with a newer format version. */
  warnings?: string[];
  ok: boolean;
}

/** Reads a whole backup again and compares it with what was recorded about it: checksum, items, resource list. */
export async function verifyBackup(
  store: Store,
  name: string,
  options: { spoolPath: string; signal: AbortSignal },
): Promise<Verification> {
  const { spoolPath, signal } = options;
  const stored = await readMetadata(store, name, signal);
  if (stored === undefined) return failed(`there is no backup ${name} in ${store.where}`);
  const { problem, warning } = checkToldVersion(stored.status);
  if (problem !== undefined) return { ...failed(problem), ...expectation(stored) };
  let archive: Archive;
  try {
    const { body } = await store.get(backupKeys(name).contents, { signal });
    archive = await openArchive(body, { layout: VELERO_LAYOUT, spoolPath, signal });
  } catch (error) {
    signal.throwIfAborted();
    // A store that does not answer says nothing about the backup.
    if (!isAppError(error, 'notFound', 'invalid', 'tooLarge', 'unsupported')) throw error;
    return { ...failed(error.message), ...expectation(stored) };
  }
  try {
    const warnings = new Set([...(warning === undefined ? [] : [warning]), ...archive.warnings]);
    const problems = new Problems();
    for (const problem of checksumProblems(stored, archive)) problems.add(problem);
    for (const { error } of archive.problems) problems.add(error.message);
    await compareWithList(archive, await readResourceList(store, name, { archive, signal }), problems);
    return {
      ...expectation(stored),
      sha256Found: archive.sha256,
      entries: archive.counts.items,
      problems: problems.told(),
      ...(warnings.size === 0 ? {} : { warnings: [...warnings] }),
      ok: problems.count === 0,
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

function expectation({ sha256 }: StoredBackup): { sha256Expected?: string } {
  return sha256 === undefined ? {} : { sha256Expected: sha256 };
}

function failed(problem: string): Verification {
  return { sha256Found: '', entries: 0, problems: [problem], ok: false };
}
