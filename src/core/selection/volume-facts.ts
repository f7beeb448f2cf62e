import { objectAt, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { parseQuantity } from './quantity.ts';

/** What a policy can test about a volume. */
export interface VolumeFacts {
  capacityBytes: number;
  storageClass?: string;
  nfs?: { server?: string; path?: string };
  csi?: { driver?: string; volumeAttributes: Record<string, string> };
  /** The field of the volume's source, such as `hostPath`. */
  type?: string;
  claim?: { labels: Record<string, string>; phase?: string; volumeMode?: string; accessModes: string[] };
}

export interface VolumeObjects {
  persistentVolume?: JsonObject;
  /** One entry of a pod's spec.volumes. */
  podVolume?: JsonObject;
  claim?: JsonObject;
}

// In Velero's order, which matters for a volume that names two.
const TYPES = [
  ...['awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'csi', 'fc', 'flocker', 'flexVolume'],
  ...['gcePersistentDisk', 'gitRepo', 'glusterfs', 'iscsi', 'local', 'nfs', 'secret', 'rbd', 'downwardAPI'],
  ...['configMap', 'projected', 'ephemeral', 'photonPersistentDisk', 'portworxVolume', 'quobyte', 'scaleIO'],
  ...['storageos', 'vsphereVolume', 'hostPath', 'emptyDir'],
];
// Types that policies spell differently than the API does.
const SPELLING: Readonly<Record<string, string>> = { storageos: 'storageOS' };

/** A persistent volume says more than the pod's reference to it. */
export function volumeFacts({ persistentVolume, podVolume, claim }: VolumeObjects): VolumeFacts {
  const source = persistentVolume === undefined ? (podVolume ?? {}) : objectAt(persistentVolume, 'spec');
  const storageClass = persistentVolume === undefined ? undefined : textAt(source, 'storageClassName');
  const type = TYPES.find((field) => source[field] !== undefined);
  const capacity = textAt(objectAt(source, 'capacity'), 'storage');
  return {
    capacityBytes: (capacity === undefined ? undefined : parseQuantity(capacity)) ?? 0,
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(type === undefined ? {} : { type: SPELLING[type] ?? type }),
    ...(source['nfs'] === undefined ? {} : { nfs: textsAt(source, 'nfs') }),
    ...(source['csi'] === undefined ? {} : { csi: csiOf(objectAt(source, 'csi')) }),
    ...(claim === undefined ? {} : { claim: claimOf(claim) }),
  };
}

function csiOf(csi: JsonObject): NonNullable<VolumeFacts['csi']> {
  const driver = textAt(csi, 'driver');
  return { volumeAttributes: textsAt(csi, 'volumeAttributes'), ...(driver === undefined ? {} : { driver }) };
}

function claimOf(claim: JsonObject): NonNullable<VolumeFacts['claim']> {
  const spec = objectAt(claim, 'spec');
  const phase = textAt(objectAt(claim, 'status'), 'phase');
  const volumeMode = textAt(spec, 'volumeMode');
  const modes = spec['accessModes'];
  return {
    labels: textsAt(claim, 'metadata', 'labels'),
    accessModes: Array.isArray(modes) ? modes.filter((mode) => typeof mode === 'string') : [],
    ...(phase === undefined ? {} : { phase }),
    ...(volumeMode === undefined ? {} : { volumeMode }),
  };
}
