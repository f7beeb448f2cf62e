import type { AppError } from '../../../base/index.ts';
import type { VolumeSource } from '../../../core/volumes/index.ts';
import type { StoreAccess } from '../../../edge/store/index.ts';
import type { PluginProgress, RemoteArchiveStore } from '../../../edge/volumes/index.ts';
import type { PodRequest, Waiting } from '../../pods/index.ts';

export type Uploader = 'kopia' | 'stream';

/** Whether Headway moves the data itself; else the plugin is somebody's own. */
export function isUploader(plugin: string | undefined): plugin is Uploader {
  return plugin === 'kopia' || plugin === 'stream';
}

/** Where the data goes to or comes from: a BackupStorageLocation, and how a mover reaches it. */
export interface MoverLocation {
  name: string;
  provider: string;
  bucket: string;
  prefix?: string | undefined;
  config?: Readonly<Record<string, string>> | undefined;
  /** Asked anew for every mover, because keys may expire. */
  access: () => Promise<StoreAccess>;
  /** For archives of `stream`, which go through this process. */
  store: RemoteArchiveStore;
}

/** What every mover needs to know. */
export interface MoverTask {
  /** From `volumeId` or `volumeRestoreId`; it stands on every line of the mover. */
  id: string;
  /** The Backup or Restore that it works for. */
  owner: PodRequest['owner'];
  uploader: Uploader;
  location: MoverLocation;
  /** Whose files; it also decides where the pod runs. */
  claim: { namespace: string; name: string };
  /** The node that has the volume; any node if absent. */
  node?: string | undefined;
  isVerified?: boolean | undefined;
  /** With which attempt to begin: one that a kopia mover is running, so that it is found again, or the next. */
  attempt?: number | undefined;
}

export interface SnapshotTask extends MoverTask {
  source: VolumeSource;
  tags?: Readonly<Record<string, string>> | undefined;
  /** Files that are read at the same time. */
  parallel?: number | undefined;
  /** The key of the archive, for `stream`. */
  archiveKey: string;
}

export interface RestoreTask extends MoverTask {
  /** kopia's id, or the key of an archive. */
  snapshotID: string;
  /** The id under which the volume was backed up. */
  volumeId: string;
  /** The namespace whose repository has it; volumes may be restored to another one. */
  repositoryNamespace: string;
  totalBytes?: number | undefined;
  /** The claim was there, with files of another time: it gets those of the snapshot, and the others go. */
  isBroughtUp?: boolean | undefined;
  parallel?: number | undefined;
  ignoresOwners?: boolean | undefined;
}

/** Work on a repository alone. */
export interface RepositoryTask extends Pick<MoverTask, 'id' | 'owner' | 'location'> {
  /** Whose volumes are in the repository. */
  repositoryNamespace: string;
}

/** Who is told what of a mover, and what ends it. */
export interface MoverCall {
  /** Ends the work. */
  signal: AbortSignal;
  /** Outlives a cancel: not aborted as long as this process may act, so that a pod can be removed. */
  lasting: AbortSignal;
  /** Whether the aborted signal means that nobody wants the result; else a kopia mover runs on for the next process. */
  isCanceled: (signal: AbortSignal) => boolean;
  /** Requests that wait while the API server does not answer. */
  api: (signal: AbortSignal) => { call<T>(request: () => Promise<T>): Promise<T> };
  /** Validated: what is done never falls within an attempt, and is never more than the total. */
  onProgress?: (progress: PluginProgress) => void;
  onNote?: (text: string) => void;
  /** A mover is about to be started, or to be found again; `lost` is why the one before it failed. */
  onAttempt?: (attempt: number, lost: AppError | undefined) => void | Promise<void>;
  /** Something is waited for: a turn, a pod that does not start. */
  onWaiting: (cause: AppError) => Waiting;
}
