/**
 * The decisions of a restore: what is valid, what is collected and in which order, how an item is changed, what to do
 * about one that exists, and what is reported about it. It must never do I/O, read a clock or talk to a cluster.
 */
export { newestCompleted, validateRestore, type RestoreFacts, type ValidatedRestore } from './validate.ts';
export { isEndPhase, phaseAfterItems } from './phases.ts';

export { DEFAULT_PRIORITIES, parsePriorities, type Priorities } from './priorities.ts';
export {
  NEVER_RESTORED,
  explainLeftOut,
  restoreFilters,
  statusFilter,
  type LeftOutReason,
  type RestoreFilters,
} from './filters.ts';
export {
  collectRestore,
  targetOf,
  type CollectInput,
  type Collection,
  type LeftOut,
  type RestoreItem,
  type RestoreResource,
  type UnservedResource,
} from './collect.ts';
export { namesItsNamespaces, reasonToWait, type PendingRestore } from './turns.ts';
export { RestorePlan, type Claim, type Holds, type PlanInput, type WorkItem } from './plan.ts';

export { prepareItem, type PrepareDeps, type Prepared } from './prepare.ts';
export { readsManagers } from './reset.ts';
export {
  BUILT_IN_ACTIONS,
  pluginConfig,
  UNFILLED_ANNOTATION,
  type ActionConfig,
  type ActionInput,
  type ActionResult,
  type ArchiveKey,
  type RestoreAction,
} from './actions/index.ts';
export { parseResourceModifiers, type ParsedModifiers, type ResourceModifiers } from './resource-modifiers.ts';
export { strategicMerge } from './strategic-merge.ts';
export { execHookMark, execHooksFor, type ExecHook } from './hooks.ts';
export { decideClaim, decideVolumes, missingData, type VolumeDecision } from './pv.ts';
export { claimsMountedBy, mayStartPods } from './mounts.ts';
export { decideBringUp, planOfMigration, type BringUpDecision } from './bring-up.ts';

export { decideExisting, isOurs, isTouchedBy, type ExistingDecision, type ExistingPolicy } from './existing.ts';
export { RESTORE_NAME_LABEL, labelValue, type RestoreNames } from './restore-labels.ts';
export { aboutItem, restoredResourceList, type RestoredItem } from './results.ts';
export { ItemsByKind, type KindCounts } from './items-by-kind.ts';
