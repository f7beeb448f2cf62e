import { MIGRATED_BY_PLAN } from '../../api/index.ts';
import { createMergePatch, isEqual, objectsAt, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { UNFILLED_ANNOTATION } from './actions/index.ts';
import { kindOf, labelsOf, nameOf, withValue, withoutKeys } from './fields.ts';
import { resetItem } from './reset.ts';
import {
  RESTORE_NAME_LABEL,
  labelValue,
  withRestoreLabels,
  withoutRestoreLabels,
  type RestoreNames,
} from './restore-labels.ts';

export type ExistingPolicy = 'none' | 'update';

export interface ExistingInput {
  groupResource: string;
  inCluster: JsonObject;
  /** What would have been created, with its labels. */
  wanted: JsonObject;
  policy: ExistingPolicy;
  names: RestoreNames;
}

/** What to do about an object that already exists. All patches are JSON merge patches. */
export type ExistingDecision =
  /** Already as wanted: skipped silently. */
  | { kind: 'skip' }
  /** As wanted, except for the labels that say who restored it last: skipped, and the patch is sent. */
  | { kind: 'relabel'; patch: JsonObject }
  /** Updated if the server accepts the patch; if not, a warning, and only the labels are patched. */
  | { kind: 'patch'; patch: JsonObject; labelsOnly: JsonObject | undefined }
  /** Different, and the user wants it left alone: skipped, with a warning. */
  | { kind: 'warn'; message: string };

export function decideExisting(input: ExistingInput): ExistingDecision {
  const { groupResource, policy, names } = input;
  const current = resetItem(input.inCluster);
  const wanted = withPlanOf(input, withMarkOf(input.inCluster, input.wanted));
  if (groupResource === 'serviceaccounts') return mergeServiceAccount(current, wanted);
  // Only a restored object has the labels, so they do not matter for the comparison.
  const labelled = withRestoreLabels(current, names);
  const isSame = isEqual(labelled, withRestoreLabels(wanted, names));
  if (policy === 'none') return isSame ? { kind: 'skip' } : { kind: 'warn', message: alreadyExists(wanted) };
  const relabel = createMergePatch(current, labelled);
  if (isSame) return relabel === undefined ? { kind: 'skip' } : { kind: 'relabel', patch: relabel };
  const patch = createMergePatch(current, wanted);
  return patch === undefined ? { kind: 'skip' } : { kind: 'patch', patch, labelsOnly: relabel };
}

/** Whether a claim is filled is not for the next restore to say: it fills only what it has created. */
function withMarkOf(inCluster: JsonObject, wanted: JsonObject): JsonObject {
  const at = ['metadata', 'annotations'];
  const [mark, wish] = [inCluster, wanted].map((item) => textAt(item, ...at, UNFILLED_ANNOTATION));
  if (mark === wish) return wanted;
  if (mark !== undefined) return withValue(wanted, [...at, UNFILLED_ANNOTATION], mark);
  return withoutKeys(wanted, at, [UNFILLED_ANNOTATION]);
}

/** A claim of a plan may lose files that a backup does not have, so no backup makes it one, or another plan's. */
function withPlanOf({ groupResource, inCluster }: ExistingInput, wanted: JsonObject): JsonObject {
  if (groupResource !== 'persistentvolumeclaims') return wanted;
  const [plan, wish] = [inCluster, wanted].map((item) => labelsOf(item)[MIGRATED_BY_PLAN]);
  if (plan === wish) return wanted;
  if (plan !== undefined) return withValue(wanted, ['metadata', 'labels', MIGRATED_BY_PLAN], plan);
  return withoutKeys(wanted, ['metadata', 'labels'], [MIGRATED_BY_PLAN]);
}

export function alreadyExists(item: JsonObject): string {
  return (
    `could not restore, ${kindOf(item)}:${nameOf(item)} already exists. ` +
    'Warning: the in-cluster version is different than the backed-up version'
  );
}

/**
 * The cluster creates accounts too, so what the backup has is added, nothing is removed, and no label claims the
 * account.
 */
function mergeServiceAccount(current: JsonObject, wanted: JsonObject): ExistingDecision {
  const source = withoutRestoreLabels(wanted);
  let merged = current;
  for (const list of ['secrets', 'imagePullSecrets']) {
    const own = objectsAt(current, list);
    const names = new Set(own.map((reference) => textAt(reference, 'name')));
    const more = objectsAt(source, list).filter((reference) => !names.has(textAt(reference, 'name')));
    if (more.length > 0) merged = withValue(merged, [list], [...own, ...more]);
  }
  for (const map of ['labels', 'annotations']) {
    const both = { ...textsAt(source, 'metadata', map), ...textsAt(current, 'metadata', map) };
    if (Object.keys(both).length > 0) merged = withValue(merged, ['metadata', map], both);
  }
  const patch = createMergePatch(current, merged);
  return patch === undefined ? { kind: 'skip' } : { kind: 'patch', patch, labelsOnly: undefined };
}

export interface RestoreIdentity {
  name: string;
  /** RFC 3339, as the server wrote it. */
  createdAt: string;
}

/** Whether this very restore created the object before it was interrupted. */
export function isOurs(inCluster: JsonObject, restore: RestoreIdentity): boolean {
  const created = Date.parse(textAt(inCluster, 'metadata', 'creationTimestamp') ?? '');
  const isLabelled = labelsOf(inCluster)[RESTORE_NAME_LABEL] === labelValue(restore.name);
  // A deleted restore of the same name may have left objects behind; they are older.
  return isLabelled && created >= Date.parse(restore.createdAt);
}

/** Whether this restore changed an object that already existed, or at least labelled it. */
export function isTouchedBy(inCluster: JsonObject, { restoreName }: RestoreNames): boolean {
  return labelsOf(inCluster)[RESTORE_NAME_LABEL] === labelValue(restoreName);
}
