/**
 * The stores behind BackupStorageLocations, opened with the credentials their Secrets hold.
 * It must never let a credential into a message, and never keep a store open after its location or Secret changed.
 */
export { LocationStores, type LocationStore, type LocationStoresOptions } from './location-stores.ts';
