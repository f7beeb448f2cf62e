import { POD_ARGUMENTS, declare, optional, required, type FunctionDeclaration } from './declaration.ts';

const namespace = required('text', 'Namespace of the pods.');
const image = required('text', 'Image with the tools.');
const toolsImage = optional('text', 'Image with the tools; the usual one unless given.');
const backupArtifactPrefix = required('text', 'Path of the repository in the location.');
const encryptionKey = optional('text', 'Password of the repository.');
const insecureTLS = optional('flag', 'Whether the certificate of the store is not checked.');
const backupInfo = required('text', 'BackupAllInfo of BackupDataAll.');
const BACKUP = ['backupID', 'backupTag', 'fileCount', 'size', 'phySize', 'version'];

/** Functions that move files between volumes and a repository of kopia or restic. */
export const DATA: readonly FunctionDeclaration[] = [
  declare(
    'BackupData',
    'Backs up a directory of a container.',
    {
      namespace,
      pod: required('text', 'The pod.'),
      container: required('text', 'The container.'),
      includePath: required('text', 'The directory.'),
      backupArtifactPrefix,
      encryptionKey,
      insecureTLS,
    },
    { outputs: BACKUP, progress: 'bytes', resume: 'fail', needsProfile: true },
  ),
  declare(
    'BackupDataAll',
    'Backs up a directory of several pods at the same time.',
    {
      namespace,
      container: required('text', 'The container.'),
      includePath: required('text', 'The directory.'),
      backupArtifactPrefix,
      pods: optional('text', 'Names of the pods, separated by spaces; those of the object unless given.'),
      encryptionKey,
      insecureTLS,
    },
    { outputs: ['BackupAllInfo', 'version'], progress: 'bytes', resume: 'fail', needsProfile: true },
  ),
  declare(
    'CopyVolumeData',
    'Backs up a volume from a pod that mounts it.',
    {
      namespace,
      volume: required('text', 'The claim.'),
      dataArtifactPrefix: required('text', 'Path of the repository in the location.'),
      image: toolsImage,
      encryptionKey,
      mountPath: optional('text', 'Where the volume is mounted; /mnt/vol_data/CLAIM unless given.'),
      insecureTLS,
      ...POD_ARGUMENTS,
    },
    {
      outputs: [...BACKUP, 'backupRoot', 'backupArtifactLocation'],
      progress: 'bytes',
      resume: 'pod',
      podPrefix: 'copy-vol-data',
      needsProfile: true,
    },
  ),
  declare(
    'RestoreData',
    'Restores a backup into volumes.',
    {
      namespace,
      image,
      backupArtifactPrefix,
      restorePath: optional('text', 'Where to; / unless given.'),
      encryptionKey,
      pod: optional('text', 'Pod whose volumes are mounted.'),
      volumes: optional('textMap', 'Claim to path.'),
      backupTag: optional('text', 'Tag of the backup.'),
      backupIdentifier: optional('text', 'Id of the backup.'),
      backupPath: optional('text', 'Only this directory of the backup.'),
      insecureTLS,
      ...POD_ARGUMENTS,
    },
    {
      outputs: 'kando',
      progress: 'bytes',
      resume: 'pod',
      podPrefix: 'restore-data',
      needsProfile: true,
      oneOf: [
        ['pod', 'volumes'],
        ['backupTag', 'backupIdentifier'],
      ],
    },
  ),
  declare(
    'RestoreDataAll',
    'Restores backups of several pods at the same time.',
    {
      namespace,
      image,
      backupArtifactPrefix,
      backupInfo,
      restorePath: optional('text', 'Where to; / unless given.'),
      encryptionKey,
      pods: optional('text', 'Names of the pods, separated by spaces; those of the object unless given.'),
      insecureTLS,
      ...POD_ARGUMENTS,
    },
    { outputs: 'kando', progress: 'bytes', resume: 'pod', podPrefix: 'restore-data-all', needsProfile: true },
  ),
  declare(
    'DeleteData',
    'Deletes a backup from a repository.',
    {
      namespace,
      backupArtifactPrefix,
      backupID: optional('text', 'Id of the backup.'),
      backupTag: optional('text', 'Tag of the backup.'),
      encryptionKey,
      reclaimSpace: optional('flag', 'Whether space is freed at once; no unless given.'),
      image: toolsImage,
      insecureTLS,
      ...POD_ARGUMENTS,
    },
    {
      outputs: ['spaceFreed'],
      resume: 'pod',
      podPrefix: 'delete-data',
      needsProfile: true,
      oneOf: [['backupID', 'backupTag']],
    },
  ),
  declare(
    'DeleteDataAll',
    'Deletes the backups of BackupDataAll.',
    {
      namespace,
      backupArtifactPrefix,
      backupInfo,
      encryptionKey,
      reclaimSpace: optional('flag', 'Whether space is freed at once; no unless given.'),
      image: toolsImage,
      insecureTLS,
      ...POD_ARGUMENTS,
    },
    { outputs: ['spaceFreed'], resume: 'pod', podPrefix: 'delete-data-all', needsProfile: true },
  ),
  declare(
    'BackupDataStats',
    'Tells the size of a backup.',
    {
      namespace,
      backupArtifactPrefix,
      backupID: required('text', 'Id of the backup.'),
      statsMode: optional('text', 'How to count; restore-size unless given.'),
      encryptionKey,
      image: toolsImage,
      ...POD_ARGUMENTS,
    },
    {
      outputs: ['mode', 'fileCount', 'size', 'version'],
      resume: 'pod',
      podPrefix: 'backup-data-stats',
      needsProfile: true,
    },
  ),
  declare(
    'CheckRepository',
    'Tells whether a repository is there and its password right.',
    { backupArtifactPrefix, encryptionKey, image: toolsImage, insecureTLS, ...POD_ARGUMENTS },
    {
      outputs: ['passwordIncorrect', 'repoUnavailable', 'version'],
      resume: 'pod',
      podPrefix: 'check-repository',
      needsProfile: true,
    },
  ),
];
