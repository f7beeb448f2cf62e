import { join } from 'node:path';
import { AppError, formatBytes, formatCount, isAppError } from '../../../../base/index.ts';
import { checkToldVersion, VELERO_LAYOUT } from '../../../../core/backup/index.ts';
import { exact, UNKNOWN } from '../../../../core/progress/index.ts';
import { NEVER_RESTORED } from '../../../../core/restore/index.ts';
import { openArchive, type Archive } from '../../../../edge/archive/index.ts';
import { backupKeys, type StoredObject } from '../../../../edge/store/index.ts';
import { readMetadata, type StoredBackup } from '../../backup/index.ts';
import type { ServedTypes } from './served-types.ts';
import type { BackupSource, ReadContext } from '../context.ts';

/** Downloads the backup's archive and checks all that may be restored, before anything is created. */
export async function fetchArchive(context: ReadContext, source: BackupSource, types: ServedTypes): Promise<Archive> {
  const { run, log, signal, deps, settings, restore } = context;
  run.feed({ kind: 'stage', stage: 'downloading' });
  // The number of items is not known yet; without this the percent would come from the bytes alone.
  run.feed({ kind: 'measure', unit: 'items', done: 0, total: UNKNOWN });
  const recorded = await recordOf(source, signal);
  const told = checkToldVersion({ ...source.backup.status, ...recorded?.status });
  if (told.problem !== undefined) throw new AppError('unsupported', `cannot restore: ${told.problem}`);
  const stored = await contentsOf(source, signal);
  run.feed({ kind: 'measure', unit: 'bytes', done: 0, total: exact(stored.size) });
  log.info('downloading the backup', { size: stored.size, from: source.store.where });
  const attempt = Math.floor(deps.random() * 0xffff_ffff).toString(16);
  const archive = await openArchive(stored.body, {
    spoolPath: join(deps.spoolDir, `restore-${restore.metadata.uid ?? 'plan'}-${attempt}.spool`),
    layout: VELERO_LAYOUT,
    limits: settings.limits,
    kindOf: (groupResource) => types.kindOf(groupResource),
    onlyNames: (groupResource) => NEVER_RESTORED.includes(groupResource),
    signal,
    onProgress: ({ archiveBytes, items }) => {
      run.feed({ kind: 'measure', unit: 'bytes', done: archiveBytes });
      run.feed({ kind: 'current', current: `${formatCount(items)} items read` });
    },
  });
  run.feed({ kind: 'stage', stage: 'checking' });
  log.info('read and checked the archive', { items: archive.counts.items, problems: archive.problems.length });
  // Usually both say the same.
  for (const warning of new Set([told.warning, ...archive.warnings])) {
    if (warning !== undefined) context.findings.warn('operation', `of the backup: ${warning}`);
  }
  const problem = checksumProblem(archive, source, recorded?.sha256);
  if (problem === undefined) return archive;
  await archive.close();
  throw problem;
}

async function contentsOf({ backup, store }: BackupSource, signal: AbortSignal): Promise<StoredObject> {
  const name = backup.metadata.name ?? '';
  try {
    return await store.get(backupKeys(name).contents, { signal });
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    throw new AppError('notFound', `cannot restore: the archive of backup ${name} is not in ${store.where}`, {
      cause: error,
    });
  }
}

/** What the metadata file beside the archive says; only our own backups record the archive's hash. */
async function recordOf({ backup, store }: BackupSource, signal: AbortSignal): Promise<StoredBackup | undefined> {
  try {
    return await readMetadata(store, backup.metadata.name ?? '', signal);
  } catch (error) {
    // The archive itself may still be good.
    if (isAppError(error, 'invalid', 'tooLarge')) return undefined;
    throw error;
  }
}

function checksumProblem(
  { sha256, counts }: Archive,
  { backup }: BackupSource,
  expected: string | undefined,
): AppError | undefined {
  if (expected === undefined || expected === sha256) return undefined;
  return new AppError(
    'invalid',
    `cannot restore: the archive of backup ${backup.metadata.name ?? ''} is not the one that was written: expected ` +
      `sha256 ${expected}, got ${sha256} (${formatBytes(counts.archiveBytes)})`,
  );
}
