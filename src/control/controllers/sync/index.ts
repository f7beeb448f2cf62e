/**
 * Keeps Backup objects in line with a store: imports what other clusters wrote, removes objects whose backup is gone.
 * It must never touch what is in a store, and never remove an object because of one bad answer.
 */
export { createSyncController, type SyncOptions } from './sync-controller.ts';
