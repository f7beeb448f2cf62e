import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  DownloadRequest,
  Restore,
  Schedule,
  ServerStatusRequest,
  VolumeSnapshotLocation,
  type ResourceType,
} from '../../api/index.ts';
import { without } from '../../base/index.ts';
import { Reflector, type ObjectCache, type ReflectorDeps } from '../runtime/index.ts';

/** The kinds that the controllers watch, under the names by which they ask for them. */
const WATCHED = {
  backups: Backup,
  restores: Restore,
  schedules: Schedule,
  locations: BackupStorageLocation,
  snapshotLocations: VolumeSnapshotLocation,
  deleteRequests: DeleteBackupRequest,
  downloadRequests: DownloadRequest,
  statusRequests: ServerStatusRequest,
} satisfies Record<string, ResourceType>;

/** What the cluster holds of each kind, as last seen. */
export type Caches = Readonly<Record<keyof typeof WATCHED, ObjectCache>>;

/** One reflector for each kind, shared by all controllers. */
export function watchKinds(namespace: string, deps: ReflectorDeps): { reflectors: Reflector[]; caches: Caches } {
  const entries = Object.entries(WATCHED).map(([name, type]) => {
    const reflector = new Reflector(
      {
        target: { type, namespace },
        trim: (object) => ({
          ...object,
          metadata: { ...without(object.metadata, 'managedFields'), name: object.metadata.name },
        }),
      },
      deps,
    );
    return [name, reflector] as const;
  });
  return {
    reflectors: entries.map(([, reflector]) => reflector),
    caches: Object.fromEntries(entries.map(([name, { cache }]) => [name, cache])) as Caches,
  };
}
