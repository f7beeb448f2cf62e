import type { BackupPhase, RestorePhase } from '../../../api/index.ts';
import { textAt } from '../../../base/index.ts';
import { isEnded } from '../../../core/backup/index.ts';
import { isEndPhase } from '../../../core/restore/index.ts';
import type { ObjectCache } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';

export type OrphanCaches = Pick<Caches, 'backups' | 'restores' | 'volumePluginBackups' | 'volumePluginRestores'>;

/** The uids of Backups that are over, or of those that are not. */
export function backupsThat(areOver: boolean, { backups }: OrphanCaches): Set<string> {
  return uidsWhere(backups, (phase) => isEnded(phase as BackupPhase) === areOver);
}

export function restoresThat(areOver: boolean, { restores }: OrphanCaches): Set<string> {
  return uidsWhere(restores, (phase) => isEndPhase(phase as RestorePhase) === areOver);
}

function uidsWhere(cache: ObjectCache, fits: (phase: string) => boolean): Set<string> {
  const found = [...cache.values()].filter((object) => fits(textAt(object, 'status', 'phase') ?? 'New'));
  return new Set(found.map(({ metadata }) => metadata.uid ?? ''));
}
