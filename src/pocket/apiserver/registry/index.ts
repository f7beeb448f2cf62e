/**
 * The rules of reading and writing objects: what is served, and what create, update, patch and delete mean.
 * It must never know HTTP; the server and the in-process client call the same functions.
 */
export { createObject, type Place } from './create.ts';
export { updateObject, type NamedPlace, type UpdateOptions } from './update.ts';
export { deleteObject, type Deleted, type DeleteOptions } from './delete.ts';
export { acceptedPatches, APPLY_TYPE, applyPatch, PATCH_TYPES, type PatchKind } from './patch.ts';
export { scaleOf, withScale } from './scale.ts';
export { itemTextOf, servedCopy, servedObject, textOf } from './object-text.ts';
export { hasSubresource, type PrinterColumn, type Resource } from './resource.ts';
export { compareVersions } from './version-order.ts';
export { TypeTable } from './type-table.ts';
export { CrdLifecycle } from './crd-lifecycle.ts';
export { expireEvents } from './event-expiry.ts';
export { timestamp, type RegistryDeps } from './deps.ts';
export type { WriteOptions } from './body.ts';
