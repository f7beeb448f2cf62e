/**
 * How the data of a volume is copied: one port, its adapters, and the mover that runs them beside the volume.
 * It must never follow a link out of a volume, put a secret on a command line, or talk to a cluster by itself.
 */
export type {
  ArchiveStore,
  DeleteRequest,
  ListRequest,
  PluginProgress,
  RemoteArchiveStore,
  RestoreRequest,
  RestoreResult,
  SnapshotRequest,
  SnapshotResult,
  VolumeCall,
  VolumePlugin,
} from './port.ts';
export { listArchive, type ListedFile } from './stream/list-archive.ts';
export { StreamPlugin, type StreamDeps } from './stream/stream-plugin.ts';
export { KopiaPlugin, type KopiaOptions } from './kopia/kopia-plugin.ts';
export type { KopiaDeps } from './kopia/kopia-program.ts';
export type { KopiaSecrets } from './kopia/kopia-config.ts';
export { failureOf, runJob, type MoverDeps, type MoverPlugin } from './mover/run-job.ts';
export { RemotePlugin, type RemoteDeps, type RunningMover, type StartMover } from './mover/remote-plugin.ts';
