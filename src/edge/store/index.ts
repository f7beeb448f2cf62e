/**
 * The object store: one port, backed by a directory or by any service that speaks S3, and the layout of Velero's files.
 * It must never show half an object, follow a link, wait without a limit, or throw an error that is not an AppError.
 */
export type {
  Retrier,
  CallOptions,
  GetOptions,
  ObjectFacts,
  PutOptions,
  Source,
  Store,
  StoredObject,
  Upload,
} from './port.ts';
export { openStore, type StoreDeps, type StoreLimits, type StoreLocation } from './open-store.ts';
export { storeAccess, type StoreAccess } from './store-access.ts';
export { CREDENTIAL_PLUGINS, type CredentialPlugin, type CredentialRules } from './credentials-root.ts';
export { withPatience } from './patient-store.ts';
export type { PatienceOptions } from './patience.ts';
export { exists } from './exists.ts';
export { putBytes, putJson } from './put-json.ts';
export { getWhole } from './get-whole.ts';
export { getJson, METADATA_LIMITS, type GetJsonOptions, type StoredJson } from './get-json.ts';
export { unpack } from './unpack.ts';
export { deleteMany } from './delete-many.ts';
export { abortUploads } from './abort-uploads.ts';
export {
  BACKUPS,
  RESTORES,
  TOP_FOLDERS,
  backupKeys,
  nameInFolder,
  nameProblem,
  repositoryFolder,
  restoreKeys,
  type BackupKeys,
  type RestoreKeys,
} from './layout.ts';
