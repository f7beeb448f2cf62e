import {
  DATA_DOWNLOAD,
  DATA_UPLOAD,
  POD_VOLUME_BACKUP,
  POD_VOLUME_RESTORE,
  VOLUME_PLUGIN_BACKUP,
} from '../../../api/resource-types.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { textAt, textsAt, type JsonObject } from '../../../base/index.ts';
import { present, type OperationState } from '../../progress/index.ts';
import type { Adapted, Adapter } from '../adapter.ts';
import { BY_CANCEL_FIELD } from '../cancel-way.ts';
import type { OperationFacts } from '../operation.ts';
import { BRINGING_BACK, SAVING } from './volume-ways.ts';

/** Velero's own kinds that move the data of one volume. A node has taken what is Accepted, so it is under way. */
const STATES: Readonly<Record<string, OperationState>> = {
  New: 'pending',
  Completed: 'completed',
  Failed: 'failed',
  Canceled: 'canceled',
};

type Facts = { [Key in keyof OperationFacts]: OperationFacts[Key] | undefined };

function dataPath(
  type: Adapter['type'],
  way: typeof SAVING,
  factsOf: (object: KubeObject, status: JsonObject) => Facts,
): Adapter {
  return {
    ...way,
    type,
    noun: 'volume',
    group: 'velero',
    scope: 'velero',
    verbs: ['cancel', 'delete'],
    item: 'item',
    cancel: BY_CANCEL_FIELD,
    adapt: (object, status) => adaptMove(status, factsOf(object, status)),
  };
}

function adaptMove(status: JsonObject, facts: Facts): Adapted {
  const phase = textAt(status, 'phase') ?? 'New';
  const state = (Object.hasOwn(STATES, phase) ? STATES[phase] : undefined) ?? 'running';
  return present({
    state,
    phase,
    measures: [],
    startedAt: textAt(status, 'startTimestamp') ?? textAt(status, 'acceptedTimestamp'),
    current: textAt(status, 'message'),
    failure: state === 'failed' ? textAt(status, 'message') : undefined,
    facts: present(facts),
  });
}

/** A claim is what people know; Velero writes its name beside the volume's name in the pod. */
const podFacts = (object: KubeObject): Facts => {
  const [namespace, pod] = [textAt(object, 'spec', 'pod', 'namespace'), textAt(object, 'spec', 'pod', 'name')];
  return {
    volume: textsAt(object, 'metadata', 'annotations')['velero.io/pvc-name'] ?? textAt(object, 'spec', 'volume'),
    pod: pod === undefined ? undefined : namespace === undefined ? pod : `${namespace}/${pod}`,
    plugin: textAt(object, 'spec', 'uploaderType'),
    location: textAt(object, 'spec', 'backupStorageLocation'),
  };
};

/** As Velero labels what it makes for a backup. */
const backupName = (object: KubeObject): string | undefined =>
  textsAt(object, 'metadata', 'labels')['velero.io/backup-name'];

const podVolumeBackup = dataPath(POD_VOLUME_BACKUP, SAVING, (object, status) => ({
  ...podFacts(object),
  backup: backupName(object),
  snapshot: textAt(status, 'snapshotID'),
}));
/** Headway writes one beside its own object for Velero to read. */
export const podVolumeBackupAdapter: Adapter = { ...podVolumeBackup, twin: VOLUME_PLUGIN_BACKUP.kind };

export const podVolumeRestoreAdapter: Adapter = dataPath(POD_VOLUME_RESTORE, BRINGING_BACK, (object) => ({
  ...podFacts(object),
  snapshot: textAt(object, 'spec', 'snapshotID'),
}));

export const dataUploadAdapter: Adapter = dataPath(DATA_UPLOAD, SAVING, (object, status) => ({
  volume: textAt(object, 'spec', 'sourcePVC'),
  backup: backupName(object),
  plugin: textAt(object, 'spec', 'datamover'),
  location: textAt(object, 'spec', 'backupStorageLocation'),
  snapshot: textAt(status, 'snapshotID'),
}));

export const dataDownloadAdapter: Adapter = dataPath(DATA_DOWNLOAD, BRINGING_BACK, (object) => ({
  volume: textAt(object, 'spec', 'targetVolume', 'pvc'),
  plugin: textAt(object, 'spec', 'datamover'),
  location: textAt(object, 'spec', 'backupStorageLocation'),
  snapshot: textAt(object, 'spec', 'snapshotID'),
}));
