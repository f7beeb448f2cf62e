import type { BackupRepository } from '../../../api/index.ts';
import { formatGoDuration, labelValue, parseGoDuration } from '../../../base/index.ts';

const FREQUENCY_MS = 3_600_000;
const KEPT_RUNS = 25;

export interface RepositoryPlace {
  /** Where the object lives. */
  namespace: string;
  /** Whose volumes are in it. */
  volumeNamespace: string;
  location: string;
}

/** The object of a repository that is ready: Velero finds it by its labels, and uses no repository without. */
export function repositoryObject(
  { namespace, volumeNamespace, location }: RepositoryPlace,
  now: string,
): BackupRepository {
  return {
    apiVersion: 'velero.io/v1',
    kind: 'BackupRepository',
    metadata: {
      name: `${volumeNamespace}-${location}-kopia`,
      namespace,
      labels: {
        'velero.io/volume-namespace': labelValue(volumeNamespace),
        'velero.io/storage-location': labelValue(location),
        'velero.io/repository-type': 'kopia',
      },
    },
    spec: {
      volumeNamespace,
      backupStorageLocation: location,
      repositoryType: 'kopia',
      resticIdentifier: '',
      maintenanceFrequency: formatGoDuration(FREQUENCY_MS),
    },
    // A new repository has nothing to clear away; Velero counts from here as well.
    status: { phase: 'Ready', lastMaintenanceTime: now },
  };
}

export type MaintenanceRun = NonNullable<BackupRepository['status']['recentMaintenance']>[number];

/** The history with one more run; the oldest goes, as in Velero. */
export function withMaintenance(history: readonly MaintenanceRun[] | undefined, run: MaintenanceRun): MaintenanceRun[] {
  return [...(history ?? []).slice(1 - KEPT_RUNS), run];
}

/** Whether unused data should be cleared away now. A frequency of zero means the usual one, as in Velero. */
export function isMaintenanceDue({ spec, status }: BackupRepository, now: number): boolean {
  const last = Date.parse(status.lastMaintenanceTime ?? '');
  const wanted = parseGoDuration(spec.maintenanceFrequency) ?? 0;
  return Number.isNaN(last) || last + (wanted > 0 ? wanted : FREQUENCY_MS) <= now;
}
