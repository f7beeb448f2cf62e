/**
 * The stores behind BackupStorageLocations, opened with the credentials from their Secrets.
 * It must never let a credential into a message, nor close a store that is still in use.
 */
export { LocationStores, type LocationStore, type LocationStoresOptions } from './location-stores.ts';
export { moverLocation } from './mover-location.ts';
