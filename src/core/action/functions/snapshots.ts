import { declare, optional, required, type FunctionDeclaration } from './declaration.ts';

const namespace = required('text', 'Namespace of the snapshot.');
const snapshotClass = required('text', 'VolumeSnapshotClass.');

/** Functions that make and use snapshots of CSI. */
export const SNAPSHOTS: readonly FunctionDeclaration[] = [
  declare(
    'CreateCSISnapshot',
    'Takes a snapshot of a claim, and waits until it can be used.',
    {
      pvc: required('text', 'The claim.'),
      namespace,
      snapshotClass,
      name: optional('text', 'Name of the snapshot; made from that of the claim unless given.'),
      labels: optional('textMap', 'Labels of the snapshot.'),
    },
    { outputs: ['name', 'pvc', 'namespace', 'restoreSize', 'snapshotContent'] },
  ),
  declare(
    'CreateCSISnapshotStatic',
    'Makes objects for a snapshot that the storage has already.',
    {
      name: required('text', 'Name of the snapshot.'),
      namespace,
      driver: required('text', 'CSI driver.'),
      snapshotHandle: required('text', "The storage's name of the snapshot."),
      snapshotClass,
    },
    { outputs: ['name', 'namespace', 'restoreSize', 'snapshotContent'] },
  ),
  declare('RestoreCSISnapshot', 'Makes a claim from a snapshot.', {
    name: required('text', 'Name of the snapshot.'),
    pvc: required('text', 'Name of the claim to make.'),
    namespace,
    storageClass: required('text', 'StorageClass of the claim.'),
    restoreSize: required('text', 'Size of the claim.'),
    accessModes: optional('texts', 'Access modes; ReadWriteOnce unless given.'),
    volumeMode: optional('text', 'Filesystem or Block; Filesystem unless given.'),
    labels: optional('textMap', 'Labels of the claim.'),
  }),
  declare('DeleteCSISnapshot', 'Deletes a snapshot, and waits until it is gone.', {
    name: required('text', 'Name of the snapshot.'),
    namespace,
  }),
  declare('DeleteCSISnapshotContent', 'Deletes a VolumeSnapshotContent.', {
    name: required('text', 'Its name.'),
  }),
];
