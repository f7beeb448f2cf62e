/**
 * The stores behind BackupStorageLocations, opened with the credentials their Secrets hold.
 * It must never let a credential into a message, nor close a store that somebody still uses.
 */
export { LocationStores, type LocationStore, type LocationStoresOptions } from './location-stores.ts';
