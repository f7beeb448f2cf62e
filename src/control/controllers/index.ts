/**
 * The controllers of one cluster, one folder per kind, and what they share.
 * It must never read the environment or build a client: everything they need is passed in.
 */
import type { Part } from '../runtime/index.ts';
import { createBackupController, type BackupOptions } from './backup/index.ts';
import type { Caches } from './caches.ts';
import { createDeleteControllers } from './delete/index.ts';
import { createDownloadController, type DownloadOptions } from './download/index.ts';
import { createLocationController, type LocationOptions } from './location/index.ts';
import { createMaintenanceController } from './maintenance/index.ts';
import { OrphanMovers } from './orphans/index.ts';
import type { ControlDeps } from './ports.ts';
import { createRestoreController, type RestoreOptions } from './restore/index.ts';
import { createScheduleController, type ScheduleOptions } from './schedule/index.ts';
import { createServerStatusController, type ServerStatusOptions } from './server-status/index.ts';
import { createSyncController, type SyncOptions } from './sync/index.ts';

export { itemsOfBackup, listVolume, planOfBackup, selectionOfBackup, verifyBackup } from './backup/index.ts';
export { watchKinds, type Caches, type WatchedKind } from './caches.ts';
export { OperationLogs } from '../operation/index.ts';
export type { ControlDeps, ControlMetrics } from './ports.ts';
export { planOfRestore, selectionOfRestore } from './restore/index.ts';
export { LocationStores } from './stores/index.ts';

/** Settings for the controllers; what is absent keeps the controller's own default. */
export interface ControllerSettings {
  backup?: BackupOptions;
  restore?: RestoreOptions;
  schedule?: ScheduleOptions;
  location?: LocationOptions;
  download?: DownloadOptions;
  serverStatus: ServerStatusOptions;
  sync?: SyncOptions;
}

/** Everything that works while this process leads. */
export function createControllers(settings: ControllerSettings, deps: ControlDeps, caches: Caches): Part[] {
  return [
    ...createBackupController(settings.backup ?? {}, deps, caches).parts,
    ...createRestoreController(settings.restore ?? {}, deps, caches).parts,
    createScheduleController(settings.schedule ?? {}, deps, caches),
    createLocationController(settings.location ?? {}, deps, caches),
    createMaintenanceController(deps, caches),
    createDownloadController(settings.download ?? {}, deps, caches),
    createServerStatusController(settings.serverStatus, deps, caches),
    createSyncController(settings.sync ?? {}, deps, caches),
    ...createDeleteControllers(deps, caches),
    new OrphanMovers(deps, caches),
  ];
}
