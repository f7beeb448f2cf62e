import { AppError } from '../../base/index.ts';
import type { Adapter } from './adapter.ts';
import { actionSetAdapter } from './kinds/action-set.ts';
import { backupAdapter } from './kinds/backup.ts';
import {
  dataDownloadAdapter,
  dataUploadAdapter,
  podVolumeBackupAdapter,
  podVolumeRestoreAdapter,
} from './kinds/data-path.ts';
import { directImageMigrationAdapter } from './kinds/direct-image-migration.ts';
import { directVolumeMigrationAdapter } from './kinds/direct-volume-migration.ts';
import { directVolumeProgressAdapter } from './kinds/direct-volume-progress.ts';
import { migMigrationAdapter } from './kinds/mig-migration.ts';
import { restoreAdapter } from './kinds/restore.ts';
import { volumePluginBackupAdapter, volumePluginRestoreAdapter } from './kinds/volume-plugin.ts';
import type { Noun } from './words.ts';

/** Every kind that is shown as an operation. A new kind needs an adapter and a line here. */
export const ADAPTERS: readonly Adapter[] = [
  backupAdapter,
  restoreAdapter,
  volumePluginBackupAdapter,
  volumePluginRestoreAdapter,
  podVolumeBackupAdapter,
  podVolumeRestoreAdapter,
  dataUploadAdapter,
  dataDownloadAdapter,
  actionSetAdapter,
  migMigrationAdapter,
  directVolumeMigrationAdapter,
  directVolumeProgressAdapter,
  directImageMigrationAdapter,
];

const BY_KIND: ReadonlyMap<string, Adapter> = new Map(
  ADAPTERS.map((adapter) => [adapter.type.kind.toLowerCase(), adapter]),
);

/** By `kind`, as in an object or an operation's id. */
export function adapterFor(kind: string): Adapter {
  const found = findAdapter(kind);
  if (found !== undefined) return found;
  const known = ADAPTERS.map(({ type }) => type.kind).join(', ');
  throw new AppError('notFound', `find operations of kind ${JSON.stringify(kind)}: there are only ${known}`);
}

/** Undefined for a kind that is no operation. */
export function findAdapter(kind: string): Adapter | undefined {
  return BY_KIND.get(kind.toLowerCase());
}

/** The kinds that a noun stands for, the most usual one first. */
export function adaptersOf(noun: Noun): Adapter[] {
  return ADAPTERS.filter((adapter) => adapter.noun === noun);
}
