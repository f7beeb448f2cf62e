import { badRequest, statusError, unsupportedMedia } from '../errors/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, isAppError, isObject } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import type { Resource } from './resource.ts';

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;
/** Server-side apply, which is not served here. */
export const APPLY_TYPE = 'application/apply-patch+yaml';
export type PatchKind = keyof typeof PATCH_TYPES;

/** The patched object. Strategic merge patches are for kinds with Go types only, as with the real server. */
export function applyPatch(resource: Resource, current: ApiObject, kind: PatchKind, patch: unknown): unknown {
  if (kind === 'json') return withRealMessages(() => applyJsonPatch(current, patch));
  if (!isObject(patch)) throw badRequest('error decoding patch: the patch is not a JSON object');
  if (kind === 'merge') return withRealMessages(() => applyMergePatch(current, patch));
  const { merge } = resource.schema;
  // Worded as with the real server, which serves one type more.
  if (merge === undefined) throw unsupportedMedia([...acceptedPatches(resource), APPLY_TYPE]);
  return withRealMessages(() => applyStrategicPatch(current, patch, merge));
}

export function acceptedPatches(resource: Resource): string[] {
  const builtinOnly = resource.custom === undefined ? [PATCH_TYPES.strategic] : [];
  return [PATCH_TYPES.json, PATCH_TYPES.merge, ...builtinOnly];
}

/** A patch that does not fit the object is a 422 whose message the real server keeps general. */
function withRealMessages(apply: () => unknown): unknown {
  try {
    return apply();
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw isAppError(error, 'usage') ? badRequest(error.message) : error;
    const message = 'the server rejected our request due to an error in our request';
    throw statusError('invalid', { code: 422, reason: 'Invalid', message, details: {} });
  }
}
