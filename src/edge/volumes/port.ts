import type { CopyProgress, MoverStep, VolumeSource } from '../../core/volumes/index.ts';

export interface VolumeCall {
  /** An aborted call ends within seconds, removes what it stored, and throws the signal's reason. */
  signal: AbortSignal;
  /** Something that people should know and that does not end the work. */
  onNote?: ((text: string) => void) | undefined;
}

export interface SnapshotRequest {
  /** From `volumeId`: the same for every attempt. */
  id: string;
  /** The directory with the files of the volume. */
  path: string;
  source: VolumeSource;
  tags?: Readonly<Record<string, string>> | undefined;
  /** Record the SHA-256 of every file. */
  isVerified?: boolean | undefined;
}

export interface SnapshotResult {
  /** The plugin's own id, by which it restores and deletes. */
  snapshotID: string;
  progress: CopyProgress;
  /** Over the SHA-256 of all files, if they were recorded; another tree with the same files has the same. */
  checksum?: string | undefined;
}

export interface RestoreRequest {
  id: string;
  /** An existing directory. */
  path: string;
  snapshotID: string;
  /** The id under which the volume was backed up. */
  volumeId: string;
  totalBytes?: number | undefined;
  /** Compare the SHA-256 of every file with the recorded ones; a difference is an error. */
  isVerified?: boolean | undefined;
  /** Files that are not in the snapshot go. Without it, nothing that exists is replaced. */
  isExact?: boolean | undefined;
  /** The same for a volume with files of another time: none is taken for the one in the snapshot, whatever it looks like. */
  isBroughtUp?: boolean | undefined;
}

export interface RestoreResult {
  progress: CopyProgress;
  /** Files and directories that were removed because the snapshot does not have them; undefined where none had to be. */
  removed?: number | undefined;
  checksum?: string | undefined;
}

export interface DeleteRequest {
  snapshotIDs: readonly string[];
  /** Volumes of which everything else goes as well: half-done snapshots, checksums. */
  volumes?: readonly string[] | undefined;
}

export interface ListRequest {
  id: string;
  snapshotID: string;
  /** Of the list; what does not fit is left out, and a note says so. */
  maxBytes: number;
}

export interface PluginProgress extends CopyProgress {
  step?: MoverStep | undefined;
  /** Bytes whose checksums were read or compared, which is work beside the copy. */
  bytesVerified?: number | undefined;
  current?: string | undefined;
}

/**
 * Whoever can copy a volume. Only the first is required: a plugin that cannot report progress shows elapsed time, one
 * that cannot delete leaves that to its owner. All errors are AppErrors with a sentence about this one volume.
 */
export interface VolumePlugin {
  readonly name: string;
  snapshot(request: SnapshotRequest, call: VolumeCall): Promise<SnapshotResult>;
  restore?(request: RestoreRequest, call: VolumeCall): Promise<RestoreResult>;
  /** Succeeds for what is not there. */
  delete?(request: DeleteRequest, call: VolumeCall): Promise<void>;
  /** How far the snapshot or restore with this id is; undefined when none runs. Asked about once a second. */
  progress?(id: string): Promise<PluginProgress | undefined>;
}

/** The part of an object store that an archive of a volume needs. */
export interface ArchiveStore {
  put(key: string, source: AsyncIterable<Uint8Array>, options: { signal: AbortSignal }): Promise<{ size: number }>;
  get(key: string, options: { signal: AbortSignal }): Promise<{ body: AsyncIterable<Uint8Array> }>;
  delete(key: string, options: { signal: AbortSignal }): Promise<void>;
}

/** The same for whoever starts movers: what is missing is known before a pod is made for it. */
export interface RemoteArchiveStore extends ArchiveStore {
  head(key: string, options: { signal: AbortSignal }): Promise<unknown>;
}
