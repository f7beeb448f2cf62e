/**
 * Where the pocket cluster keeps its objects: memory for reading, SQLite for surviving.
 * It must never know a kind, a rule of the API or HTTP.
 */
export { ObjectStore, type Written } from './object-store.ts';
export { StoreFile } from './store-file.ts';
export type { Snapshot } from './snapshot.ts';
export { Stored, type EventType, type StoreEvent } from './stored.ts';
