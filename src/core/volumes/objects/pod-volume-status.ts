import type { PodVolumeBackup, PodVolumeRestore, VolumePluginBackup, VolumePluginRestore } from '../../../api/index.ts';
import { present } from '../../progress/index.ts';
import { KOPIA_SNAPSHOT } from '../repository/doomed.ts';
import { veleroPhase } from './phases.ts';

/**
 * The status of Velero's object for a volume, from ours. Its snapshotID is kopia's, by which Velero restores, and its
 * progress has Velero's fields beside ours.
 */
export function podVolumeStatus({ spec, status }: VolumePluginBackup, path: string): PodVolumeBackup['status'] {
  const { progress, message, startTimestamp, completionTimestamp, conditions } = status;
  const total = progress?.totalBytes;
  const reused = status.reusedBytes;
  return present({
    phase: veleroPhase(status.phase),
    path,
    snapshotID: spec.pluginSpecific?.[KOPIA_SNAPSHOT],
    progress,
    conditions,
    message,
    startTimestamp,
    completionTimestamp,
    // Velero means the bytes that it had to read, whether or not the repository knew them already.
    incrementalBytes: total === undefined || reused === undefined ? undefined : Math.max(0, total - reused),
  });
}

/** The same for the other way. */
export function podVolumeRestoreStatus({ status }: VolumePluginRestore): PodVolumeRestore['status'] {
  const { phase, progress, message, startTimestamp, completionTimestamp, conditions } = status;
  return present({
    phase: veleroPhase(phase),
    ...{ progress, conditions, message, startTimestamp, completionTimestamp },
  });
}
