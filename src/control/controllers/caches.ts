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

/** Where the objects of a kind are: in the namespace of its group, or in all namespaces. */
type Scope = keyof Namespaces | 'all';

/** The namespaces of the groups that have one. */
export interface Namespaces {
  velero: string;
  migration: string;
}

interface Watched {
  type: ResourceType;
  scope: Scope;
}
const velero = (type: ResourceType): Watched => ({ type, scope: 'velero' });

/** The kinds that the controllers watch, and the names of their caches. */
const WATCHED = {
  backups: velero(Backup),
  restores: velero(Restore),
  schedules: velero(Schedule),
  locations: velero(BackupStorageLocation),
  snapshotLocations: velero(VolumeSnapshotLocation),
  deleteRequests: velero(DeleteBackupRequest),
  downloadRequests: velero(DownloadRequest),
  statusRequests: velero(ServerStatusRequest),
} satisfies Record<string, Watched>;

/** The last known objects of each kind in the cluster. */
export type Caches = Readonly<Record<keyof typeof WATCHED, ObjectCache>>;

/** One reflector per kind, shared by all controllers. */
export function watchKinds(namespaces: Namespaces, deps: ReflectorDeps): { reflectors: Reflector[]; caches: Caches } {
  const entries = Object.entries(WATCHED).map(([name, { type, scope }]) => {
    const target = scope === 'all' ? { type } : { type, namespace: namespaces[scope] };
    const reflector = new Reflector(
      {
        target,
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
