import {
  BackupRepository,
  BackupStorageLocation,
  DeleteBackupRequest,
  DownloadRequest,
  Schedule,
  ServerStatusRequest,
  VolumeSnapshotLocation,
  type ResourceType,
} from '../../api/index.ts';
import { without } from '../../base/index.ts';
import { adapterFor, type Namespaces, type Scope } from '../../core/operations/index.ts';
import { Reflector, type ObjectCache, type ReflectorDeps } from '../runtime/index.ts';

interface Watched {
  type: ResourceType;
  scope: Scope;
}
const velero = (type: ResourceType): Watched => ({ type, scope: 'velero' });
const operation = (kind: string): Watched => adapterFor(kind);

/** The kinds that are watched, and the names of their caches: every operation, and what the controllers need besides. */
const WATCHED = {
  backups: operation('Backup'),
  restores: operation('Restore'),
  volumePluginBackups: operation('VolumePluginBackup'),
  volumePluginRestores: operation('VolumePluginRestore'),
  podVolumeBackups: operation('PodVolumeBackup'),
  podVolumeRestores: operation('PodVolumeRestore'),
  dataUploads: operation('DataUpload'),
  dataDownloads: operation('DataDownload'),
  actionSets: operation('ActionSet'),
  migrations: operation('MigMigration'),
  directVolumeMigrations: operation('DirectVolumeMigration'),
  directVolumeProgresses: operation('DirectVolumeMigrationProgress'),
  directImageMigrations: operation('DirectImageMigration'),
  schedules: velero(Schedule),
  locations: velero(BackupStorageLocation),
  snapshotLocations: velero(VolumeSnapshotLocation),
  repositories: velero(BackupRepository),
  deleteRequests: velero(DeleteBackupRequest),
  downloadRequests: velero(DownloadRequest),
  statusRequests: velero(ServerStatusRequest),
} satisfies Record<string, Watched>;

/** The last known objects of each kind in the cluster. */
export type Caches = Readonly<Record<keyof typeof WATCHED, ObjectCache>>;

/** One kind of the cluster, and what is seen of it. */
export interface WatchedKind {
  type: ResourceType;
  reflector: Reflector;
}

export interface WatchOptions {
  /** Why a kind is not in the cluster; without it every kind is expected to be there. */
  absence?: (type: ResourceType, signal: AbortSignal) => Promise<string | undefined>;
  /** Told when a kind turns out to be missing or to be there. */
  onAbsence?: () => void;
}

/** One reflector per kind, shared by all controllers and by the server. */
export function watchKinds(
  namespaces: Namespaces,
  deps: ReflectorDeps,
  { absence, onAbsence }: WatchOptions = {},
): { reflectors: Reflector[]; kinds: WatchedKind[]; caches: Caches } {
  const entries = Object.entries<Watched>(WATCHED).map(([name, { type, scope }]) => {
    const reflector = new Reflector(
      {
        target: scope === 'all' ? { type } : { type, namespace: namespaces[scope] },
        trim: (object) => ({
          ...object,
          metadata: { ...without(object.metadata, 'managedFields'), name: object.metadata.name },
        }),
        ...(absence === undefined ? {} : { absence: (signal: AbortSignal) => absence(type, signal) }),
        ...(onAbsence === undefined ? {} : { onAbsence }),
      },
      deps,
    );
    return { name, type, reflector };
  });
  return {
    reflectors: entries.map(({ reflector }) => reflector),
    kinds: entries.map(({ type, reflector }) => ({ type, reflector })),
    caches: Object.fromEntries(entries.map(({ name, reflector }) => [name, reflector.cache])) as Caches,
  };
}
