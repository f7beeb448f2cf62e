import type { Restore } from '../../api/index.ts';
import { AppError, textAt, type Json, type JsonObject, type Steps } from '../../base/index.ts';
import { UNFILLED_ANNOTATION, type ActionConfig, type ArchiveKey, type RestoreAction } from './actions/index.ts';
import { targetOf } from './collect.ts';
import { NAMESPACES } from './priorities.ts';
import { resetClaim, resetVolume, type VolumeDecision } from './pv.ts';
import { managedFieldsToRestore, overReason, resetItem, resetNamespace, skipReason, statusToRestore } from './reset.ts';
import type { ResourceModifiers } from './resource-modifiers.ts';
import { withRestoreLabels, type RestoreNames } from './restore-labels.ts';
import { withValue } from './fields.ts';

export interface PrepareDeps {
  restore: Restore;
  names: RestoreNames;
  /** In the order they run. */
  actions: readonly RestoreAction[];
  config: ActionConfig;
  modifiers?: ResourceModifiers;
  /** By the name of the volume; those of the archive. */
  volumes: ReadonlyMap<string, VolumeDecision>;
  /** By `namespace/name` in the backup; only claims whose data somebody was to copy. */
  claims?: ReadonlyMap<string, VolumeDecision>;
  /** Whether the spec asks for the status of this type. */
  restoresStatus(groupResource: string): boolean;
}

/** What to do with one item: nothing, or send it to the API once the additional items exist. */
export type Prepared =
  | {
      kind: 'skip';
      reason: string;
      warnings: readonly string[];
      /** It had already finished when it was backed up; lists of restored items do not name it. */
      isOver?: true;
    }
  | {
      kind: 'send';
      item: JsonObject;
      additionalItems: readonly ArchiveKey[];
      warnings: readonly string[];
      /** It is sent anyway, as in Velero, but the restore is incomplete. */
      errors: readonly string[];
      /** To be written after creation. */
      status: Json | undefined;
      managedFields: JsonObject[] | undefined;
    };

/** Turns an archived item into what is sent. Throws an AppError if this item fails. */
export function* prepareItem(
  source: ArchiveKey,
  itemFromBackup: JsonObject | undefined,
  deps: PrepareDeps,
): Steps<Prepared> {
  const { restore } = deps;
  const mapping = restore.spec.namespaceMapping ?? {};
  const target = targetOf(source, mapping);
  if (source.groupResource === NAMESPACES) return send(resetNamespace(itemFromBackup, target.name));
  if (itemFromBackup === undefined) {
    throw new AppError('notFound', `cannot restore ${source.groupResource} ${source.name}: it is not in the archive`);
  }
  const over = overReason(source.groupResource, itemFromBackup);
  if (over !== undefined) return { kind: 'skip', reason: over, warnings: [], isOver: true };
  const skip = skipReason(source.groupResource, itemFromBackup) ?? volumeSkip(source, itemFromBackup, deps);
  if (skip !== undefined) return { kind: 'skip', reason: skip, warnings: [] };
  const changed = runActions(source, itemFromBackup, deps);
  if (changed.kind === 'skip') return changed;
  const { item: modified, problems } =
    deps.modifiers === undefined
      ? { item: changed.item, problems: [] }
      : yield* deps.modifiers.apply(source.groupResource, changed.item);
  const placed =
    target.namespace === undefined ? modified : withValue(modified, ['metadata', 'namespace'], target.namespace);
  return {
    ...changed,
    errors: problems,
    item: withRestoreLabels(withMark(placed, source, deps), deps.names),
    status: statusToRestore(itemFromBackup, placed, deps.restoresStatus(source.groupResource)),
    managedFields: managedFieldsToRestore(itemFromBackup),
  };
}

type Sent = Extract<Prepared, { kind: 'send' }>;

function send(item: JsonObject): Sent {
  const nothing = { status: undefined, managedFields: undefined };
  return { kind: 'send', item, additionalItems: [], warnings: [], errors: [], ...nothing };
}

function runActions(source: ArchiveKey, itemFromBackup: JsonObject, deps: PrepareDeps): Prepared {
  const { restore, config, actions } = deps;
  const result = send(withVolumeReset(source, itemFromBackup, deps));
  let { item } = result;
  const additionalItems: ArchiveKey[] = [];
  const warnings: string[] = [];
  for (const action of actions) {
    if (!action.appliesTo.includes(source.groupResource)) continue;
    const done = action.execute({ item, itemFromBackup, restore, config });
    warnings.push(...done.warnings);
    if (done.skip !== undefined) return { kind: 'skip', reason: done.skip, warnings };
    item = done.item;
    additionalItems.push(...done.additionalItems);
  }
  return { ...result, item, additionalItems, warnings };
}

function decisionFor(
  { groupResource, namespace = '', name }: ArchiveKey,
  item: JsonObject,
  { volumes, claims }: PrepareDeps,
): VolumeDecision | undefined {
  if (groupResource === 'persistentvolumes') return volumes.get(name);
  if (groupResource !== 'persistentvolumeclaims') return undefined;
  return claims?.get(`${namespace}/${name}`) ?? volumes.get(textAt(item, 'spec', 'volumeName') ?? '');
}

/** From its first moment on a claim says that its data is still to come, also if nobody lives to say it later. */
function withMark(
  item: JsonObject,
  { groupResource, namespace = '', name }: ArchiveKey,
  deps: PrepareDeps,
): JsonObject {
  const isFilled =
    groupResource === 'persistentvolumeclaims' && deps.claims?.get(`${namespace}/${name}`)?.kind === 'data';
  if (!isFilled) return item;
  return withValue(item, ['metadata', 'annotations', UNFILLED_ANNOTATION], deps.names.restoreName);
}

function volumeSkip(source: ArchiveKey, item: JsonObject, deps: PrepareDeps): string | undefined {
  const decision = decisionFor(source, item, deps);
  if (decision?.kind === 'fail') throw new AppError('unsupported', decision.message);
  if (source.groupResource !== 'persistentvolumes') return undefined;
  if (decision?.kind === 'provision') return decision.reason;
  return decision?.kind === 'data' ? 'its claim brings it back with its data' : undefined;
}

function withVolumeReset(source: ArchiveKey, itemFromBackup: JsonObject, deps: PrepareDeps): JsonObject {
  const item = resetItem(itemFromBackup);
  if (source.groupResource === 'persistentvolumes') {
    return resetVolume(item, deps.restore.spec.namespaceMapping ?? {});
  }
  if (source.groupResource !== 'persistentvolumeclaims') return item;
  return resetClaim(item, decisionFor(source, itemFromBackup, deps));
}
