import type { PodVolumeBackup, PodVolumeRestore, VolumePluginBackup, VolumePluginRestore } from '../../../api/index.ts';
import { labelValue } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import { veleroPhase } from './phases.ts';

const API_VERSION = 'velero.io/v1';
/** Which claim a volume belongs to, as `namespace/name`; the seed's spec knows the volume only. */
export const CLAIM_ANNOTATION = 'headway.io/claim';
/** On a VolumePluginRestore: what the volume was when it was backed up, maybe in another cluster. */
const BACKED_UP = {
  claim: 'headway.io/backed-up-claim',
  bytes: 'headway.io/backed-up-bytes',
  at: 'headway.io/backed-up-at',
} as const;

/** On a VolumePluginRestore: the claim was there, and is brought up to the backup. */
export const BROUGHT_UP_ANNOTATION = 'headway.io/brought-up';

/** A Backup or Restore that volumes belong to. */
export interface VolumeOwner {
  namespace: string;
  name: string;
  uid: string;
}

/** A volume that somebody copies for a backup. */
export interface BackedUpVolume {
  /** From `volumeId`. */
  id: string;
  backup: VolumeOwner;
  /** The persistent volume. */
  volume: string;
  claim: { namespace: string; name: string };
  plugin: string;
  pluginSpecific?: Record<string, string>;
}

/** What is created before the work begins. For a native plugin it is the request, and the status is left to it. */
export function pluginBackupObject(volume: BackedUpVolume, isNative: boolean): VolumePluginBackup {
  const { id, backup, claim, plugin, pluginSpecific } = volume;
  return {
    apiVersion: API_VERSION,
    kind: 'VolumePluginBackup',
    metadata: {
      name: id,
      namespace: backup.namespace,
      labels: ownerLabels('backup', backup),
      annotations: { [CLAIM_ANNOTATION]: `${claim.namespace}/${claim.name}` },
      ownerReferences: [ownerReference('Backup', backup)],
    },
    spec: present({ volume: volume.volume, backup: backup.name, plugin, pluginSpecific }),
    // A status that is not there is how a plugin knows that it was asked.
    ...((isNative ? {} : { status: { phase: 'New', snapshotID: id } }) as { status: VolumePluginBackup['status'] }),
  };
}

/** The same for the other way. It is never stored. */
export function pluginRestoreObject(
  volume: {
    id: string;
    restore: VolumeOwner;
    /** The backup that it comes from. */
    backup: string;
    snapshotID: string;
    claim: { namespace: string; name: string };
    plugin: string;
    pluginSpecific?: Record<string, string>;
    isBroughtUp?: boolean;
    backedUp: { claim: { namespace: string; name: string }; bytes?: number; at?: string };
  },
  isNative: boolean,
): VolumePluginRestore {
  const { id, restore, backup, snapshotID, claim, plugin, pluginSpecific, backedUp } = volume;
  return {
    apiVersion: API_VERSION,
    kind: 'VolumePluginRestore',
    metadata: {
      name: id,
      namespace: restore.namespace,
      labels: ownerLabels('restore', restore),
      annotations: {
        [CLAIM_ANNOTATION]: `${claim.namespace}/${claim.name}`,
        [BACKED_UP.claim]: `${backedUp.claim.namespace}/${backedUp.claim.name}`,
        ...(backedUp.bytes === undefined ? {} : { [BACKED_UP.bytes]: String(backedUp.bytes) }),
        ...(backedUp.at === undefined ? {} : { [BACKED_UP.at]: backedUp.at }),
        ...(volume.isBroughtUp === true ? { [BROUGHT_UP_ANNOTATION]: 'true' } : {}),
      },
      ownerReferences: [ownerReference('Restore', restore)],
    },
    spec: present({ snapshotID, backup, plugin, pluginSpecific }),
    ...((isNative ? {} : { status: { phase: 'New' } }) as { status: VolumePluginRestore['status'] }),
  };
}

/** The pod of which a volume is copied. */
export interface VolumePod {
  namespace: string;
  name: string;
  uid: string;
  node: string;
  /** The pod's name for the volume. */
  volumeName: string;
}

/** The same volume as Velero sees it, under the same name: only kopia's copies are such. */
export function podVolumeObject(
  { id, backup, claim }: BackedUpVolume,
  pod: VolumePod,
  at: { location: string; claimUid: string },
): PodVolumeBackup {
  return {
    apiVersion: API_VERSION,
    kind: 'PodVolumeBackup',
    metadata: {
      name: id,
      namespace: backup.namespace,
      labels: { ...ownerLabels('backup', backup), 'velero.io/pvc-uid': at.claimUid },
      // By this Velero knows at the restore that the claim's data comes from here.
      annotations: { 'velero.io/pvc-name': claim.name },
      ownerReferences: [{ ...ownerReference('Backup', backup), controller: true }],
    },
    spec: {
      node: pod.node,
      pod: { kind: 'Pod', namespace: pod.namespace, name: pod.name, uid: pod.uid },
      volume: pod.volumeName,
      backupStorageLocation: at.location,
      repoIdentifier: '',
      uploaderType: 'kopia',
      tags: {
        backup: backup.name,
        'backup-uid': backup.uid,
        ns: pod.namespace,
        pod: pod.name,
        'pod-uid': pod.uid,
        'pvc-uid': at.claimUid,
        volume: pod.volumeName,
      },
    },
    status: { phase: veleroPhase('New') },
  };
}

/** A volume that is restored as Velero sees it, under the same name as ours. The pod comes when its volumes are filled. */
export function podVolumeRestoreObject(
  volume: {
    id: string;
    restore: VolumeOwner;
    claim: { namespace: string; name: string };
    pod: string;
    volumeName: string;
    /** kopia's own id. */
    snapshotID: string;
    snapshotSize?: number | undefined;
  },
  at: { location: string; sourceNamespace: string; claimUid: string },
): PodVolumeRestore {
  const { id, restore, claim, pod, volumeName, snapshotID, snapshotSize } = volume;
  return {
    apiVersion: API_VERSION,
    kind: 'PodVolumeRestore',
    metadata: {
      name: id,
      namespace: restore.namespace,
      labels: { ...ownerLabels('restore', restore), 'velero.io/pvc-uid': at.claimUid },
      annotations: { 'velero.io/pvc-name': claim.name },
      ownerReferences: [{ ...ownerReference('Restore', restore), controller: true }],
    },
    spec: {
      pod: { kind: 'Pod', namespace: claim.namespace, name: pod },
      volume: volumeName,
      backupStorageLocation: at.location,
      repoIdentifier: '',
      uploaderType: 'kopia',
      snapshotID,
      sourceNamespace: at.sourceNamespace,
      ...present({ snapshotSize }),
    },
    status: { phase: veleroPhase('New') },
  };
}

function ownerLabels(kind: 'backup' | 'restore', { name, uid }: VolumeOwner): Record<string, string> {
  return { [`velero.io/${kind}-name`]: labelValue(name), [`velero.io/${kind}-uid`]: uid };
}

function ownerReference(kind: string, { name, uid }: VolumeOwner) {
  return { apiVersion: API_VERSION, kind, name, uid };
}
