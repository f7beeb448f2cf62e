import { valueAt } from '../../../../base/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { AGE, integer, NAME, text, wide, type Column } from '../column.ts';
import { withDefault } from './network.ts';

const UNSET = '<unset>';
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';
const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const className = text(
  'StorageClass',
  (object) => object.metadata.annotations?.[OLD_CLASS] ?? scalarTextAt(object, 'spec', 'storageClassName'),
);
const attributesClass = text(
  'VolumeAttributesClass',
  (object) => scalarTextAt(object, 'spec', 'volumeAttributesClassName') || UNSET,
);
const volumeMode = wide(text('VolumeMode', (object) => scalarTextAt(object, 'spec', 'volumeMode') || UNSET));
const isBound = (claim: Readonly<ApiObject>): boolean => scalarTextAt(claim, 'spec', 'volumeName') !== '';

export const STORAGE_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  persistentvolumes: [
    NAME,
    text('Capacity', (volume) => scalarTextAt(volume, 'spec', 'capacity', 'storage') || '0'),
    text('Access Modes', (volume) => accessModes(volume, 'spec')),
    text('Reclaim Policy', (volume) => scalarTextAt(volume, 'spec', 'persistentVolumeReclaimPolicy')),
    text('Status', phase),
    text('Claim', claimOf),
    className,
    attributesClass,
    text('Reason', (volume) => scalarTextAt(volume, 'status', 'reason')),
    AGE,
    volumeMode,
  ],
  persistentvolumeclaims: [
    NAME,
    text('Status', phase),
    text('Volume', (claim) => scalarTextAt(claim, 'spec', 'volumeName')),
    text('Capacity', (claim) => (isBound(claim) ? scalarTextAt(claim, 'status', 'capacity', 'storage') || '0' : '')),
    text('Access Modes', (claim) => (isBound(claim) ? accessModes(claim, 'status') : '')),
    className,
    attributesClass,
    AGE,
    volumeMode,
  ],
  'storageclasses.storage.k8s.io': [
    { ...NAME, cell: (object) => withDefault(object, 'storageclass.kubernetes.io/is-default-class') },
    text('Provisioner', (object) => scalarTextAt(object, 'provisioner')),
    text('ReclaimPolicy', (object) => scalarTextAt(object, 'reclaimPolicy') || 'Delete'),
    text('VolumeBindingMode', (object) => scalarTextAt(object, 'volumeBindingMode') || 'Immediate'),
    text('AllowVolumeExpansion', (object) => valueAt(object, 'allowVolumeExpansion') === true),
    AGE,
  ],
  'volumeattachments.storage.k8s.io': [
    NAME,
    { ...text('Attacher', (object) => scalarTextAt(object, 'spec', 'attacher')), format: 'name' },
    text('PV', (object) => scalarTextAt(object, 'spec', 'source', 'persistentVolumeName')),
    text('Node', (object) => scalarTextAt(object, 'spec', 'nodeName')),
    flag('Attached', 'status', 'attached'),
    AGE,
  ],
  'csidrivers.storage.k8s.io': [
    NAME,
    flag('AttachRequired', 'spec', 'attachRequired'),
    flag('PodInfoOnMount', 'spec', 'podInfoOnMount'),
    flag('StorageCapacity', 'spec', 'storageCapacity'),
    text('TokenRequests', (object) => textsAt(object, UNSET, 'spec', 'tokenRequests')),
    flag('RequiresRepublish', 'spec', 'requiresRepublish'),
    text('Modes', (object) => textsAt(object, '<none>', 'spec', 'volumeLifecycleModes')),
    AGE,
  ],
  'csinodes.storage.k8s.io': [NAME, integer('Drivers', (object) => listAt(object, 'spec', 'drivers').length), AGE],
};

function flag(name: string, ...path: string[]): Column {
  return { name, type: 'boolean', cell: (object) => valueAt(object, ...path) === true };
}

/** Token requests are shown by their audience. */
function textsAt(object: Readonly<ApiObject>, none: string, ...path: string[]): string {
  const items = listAt(object, ...path).map((item) => scalarTextAt(item, 'audience') || scalarTextAt(item));
  return items.length === 0 ? none : items.join(',');
}

function phase(object: Readonly<ApiObject>): string {
  return object.metadata.deletionTimestamp === undefined ? scalarTextAt(object, 'status', 'phase') : 'Terminating';
}

function accessModes(object: Readonly<ApiObject>, part: 'spec' | 'status'): string {
  const modes = new Set(listAt(object, part, 'accessModes').map(String));
  return Object.keys(MODES)
    .filter((mode) => modes.has(mode))
    .map((mode) => MODES[mode])
    .join(',');
}

function claimOf(volume: Readonly<ApiObject>): string {
  const name = scalarTextAt(volume, 'spec', 'claimRef', 'name');
  return name === '' ? '' : `${scalarTextAt(volume, 'spec', 'claimRef', 'namespace')}/${name}`;
}
