/**
 * Brings Backup objects and what is in a store together: imports what other clusters wrote, takes away what is gone.
 * It must never touch what is in a store, and never take an object away because of one bad answer.
 */
export { createSyncController, type SyncOptions } from './sync-controller.ts';
