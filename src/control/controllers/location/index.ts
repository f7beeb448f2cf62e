/**
 * Checks whether the store behind each BackupStorageLocation can be used, and keeps exactly one location the default.
 * It must never write into a store.
 */
export { createLocationController, type LocationOptions } from './location-controller.ts';
