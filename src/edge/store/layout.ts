/**
 * Where Velero keeps its files, below a location's prefix. Velero refuses a location with any other top-level folder,
 * so our own files go inside the folder of their backup or restore.
 */

export const BACKUPS = 'backups/';
export const RESTORES = 'restores/';

/** The only folders allowed at the top of a location. */
export const TOP_FOLDERS: readonly string[] = ['backups', 'restores', 'restic', 'metadata', 'plugins', 'kopia'];

export interface BackupKeys {
  /** Everything of the backup is below it. */
  folder: string;
  /** Its existence means that the backup exists, so it is written last. */
  metadata: string;
  contents: string;
  logs: string;
  podVolumeBackups: string;
  volumePluginBackups: string;
  volumeSnapshots: string;
  itemOperations: string;
  resourceList: string;
  results: string;
  volumeInfo: string;
  /** Written by old versions of Velero; we only read it. */
  csiVolumeSnapshots: string;
  csiVolumeSnapshotContents: string;
  csiVolumeSnapshotClasses: string;
}

export function backupKeys(backup: string): BackupKeys {
  const folder = `${BACKUPS}${backup}/`;
  const file = (ending: string): string => `${folder}${backup}${ending}`;
  return {
    folder,
    metadata: `${folder}velero-backup.json`,
    contents: file('.tar.gz'),
    logs: file('-logs.gz'),
    podVolumeBackups: file('-podvolumebackups.json.gz'),
    volumePluginBackups: file('-volumepluginbackups.json.gz'),
    volumeSnapshots: file('-volumesnapshots.json.gz'),
    itemOperations: file('-itemoperations.json.gz'),
    resourceList: file('-resource-list.json.gz'),
    results: file('-results.gz'),
    volumeInfo: file('-volumeinfo.json.gz'),
    csiVolumeSnapshots: file('-csi-volumesnapshots.json.gz'),
    csiVolumeSnapshotContents: file('-csi-volumesnapshotcontents.json.gz'),
    csiVolumeSnapshotClasses: file('-csi-volumesnapshotclasses.json.gz'),
  };
}

export interface RestoreKeys {
  folder: string;
  logs: string;
  results: string;
  resourceList: string;
  itemOperations: string;
  volumeInfo: string;
}

export function restoreKeys(restore: string): RestoreKeys {
  const folder = `${RESTORES}${restore}/`;
  const file = (ending: string): string => `${folder}restore-${restore}${ending}`;
  return {
    folder,
    logs: file('-logs.gz'),
    results: file('-results.gz'),
    resourceList: file('-resource-list.json.gz'),
    itemOperations: file('-itemoperations.json.gz'),
    // Velero omits "restore-" here.
    volumeInfo: `${folder}${restore}-volumeinfo.json.gz`,
  };
}

const FS_PROVIDER = 'headway.io/fs';
const MAX_FILE_NAME = 255;

/**
 * Why the files of a backup or restore with such a long name cannot be stored. A directory allows shorter names than
 * Kubernetes does, and it is better to find out before the archive is sent.
 */
export function nameProblem(provider: string, keys: BackupKeys | RestoreKeys): string | undefined {
  if (provider !== FS_PROVIDER) return undefined;
  const names = Object.values(keys as unknown as Record<string, string>).map((key) => key.split('/').at(-1) ?? '');
  const over = Math.max(...names.map((name) => name.length)) - MAX_FILE_NAME;
  if (over <= 0) return undefined;
  return `the name is too long for a location in a directory by ${over} characters: its files would not fit there`;
}

/** Repositories of the movers, which own what is inside. */
export function repositoryFolder(kind: 'kopia' | 'restic', volumeNamespace: string): string {
  return `${kind}/${volumeNamespace}/`;
}

/** The name of the backup or restore that this folder belongs to; `undefined` for any other prefix. */
export function nameInFolder(top: typeof BACKUPS | typeof RESTORES, folder: string): string | undefined {
  if (!folder.startsWith(top) || !folder.endsWith('/')) return undefined;
  const name = folder.slice(top.length, -1);
  return name === '' || name.includes('/') ? undefined : name;
}
