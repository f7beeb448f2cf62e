import type { PodVolumeBackup, VolumePluginBackup } from '../../../api/index.ts';

/** Where a plugin wrote the id of its tool. */
export const KOPIA_SNAPSHOT = 'kopiaSnapshotID';

/** The snapshots of one repository that go with a backup. */
export interface DoomedSnapshots {
  volumeNamespace: string;
  location: string;
  snapshotIDs: string[];
  /** Ids of volumes whose checksums and half-done snapshots go too. */
  volumes: string[];
}

/**
 * Which snapshots a deleted backup leaves to be removed, by repository. A pod volume of Velero's own is known by its
 * PodVolumeBackup alone, and one that never got a snapshot may still have left half of one.
 */
export function doomedSnapshots(
  podVolumes: readonly PodVolumeBackup[],
  pluginBackups: readonly VolumePluginBackup[],
): DoomedSnapshots[] {
  const ours = new Map(pluginBackups.map(({ metadata, spec }) => [metadata.name, spec]));
  const found = new Map<string, DoomedSnapshots>();
  for (const { metadata, spec, status } of podVolumes) {
    // restic is read by old Velero alone.
    if ((spec.uploaderType ?? '') === 'restic') continue;
    const volumeNamespace = spec.pod.namespace ?? '';
    const location = spec.backupStorageLocation;
    const key = `${location}/${volumeNamespace}`;
    const doomed = found.get(key) ?? { volumeNamespace, location, snapshotIDs: [], volumes: [] };
    found.set(key, doomed);
    const ids = [status.snapshotID, ours.get(metadata.name)?.pluginSpecific?.[KOPIA_SNAPSHOT]];
    for (const id of ids)
      if (id !== undefined && id !== '' && !doomed.snapshotIDs.includes(id)) doomed.snapshotIDs.push(id);
    if (ours.has(metadata.name)) doomed.volumes.push(metadata.name);
  }
  return [...found.values()].filter(({ snapshotIDs, volumes }) => snapshotIDs.length + volumes.length > 0);
}
