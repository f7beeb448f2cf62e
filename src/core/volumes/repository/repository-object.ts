import type { BackupRepository } from '../../../api/index.ts';
import { formatGoDuration, labelValue, parseGoDuration } from '../../../base/index.ts';

const FREQUENCY_MS = 3_600_000;
const AGAIN_MS = 600_000;
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

/**
 * When unused data should be cleared away next. A frequency of zero means the usual one, as in Velero. What has failed
 * is not tried again at once, however long it took: nothing waits for it.
 */
export function maintenanceDueAt({ spec, status }: BackupRepository): number {
  const wanted = parseGoDuration(spec.maintenanceFrequency) ?? 0;
  const frequency = wanted > 0 ? wanted : FREQUENCY_MS;
  const last = timeOf(status.lastMaintenanceTime);
  const run = status.recentMaintenance?.at(-1);
  const tried = timeOf(run?.completeTimestamp) ?? timeOf(run?.startTimestamp);
  return Math.max(last === undefined ? 0 : last + frequency, (tried ?? 0) + Math.min(frequency, AGAIN_MS));
}

/** Once a day thoroughly: the quick way leaves what only a full one may remove. */
export function isFullMaintenanceDue({ status }: BackupRepository, now: number): boolean {
  const day = new Date(now).toISOString().slice(0, 10);
  const runs = status.recentMaintenance ?? [];
  return !runs.some(({ result, startTimestamp }) => result === 'Succeeded' && startTimestamp?.startsWith(day) === true);
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
