/**
 * The decisions of a backup: what is valid, what is selected and why the rest is not, in which order, what belongs
 * together, and where it goes in the archive. It must never do I/O, read a clock or talk to a cluster.
 */
export { planBackup, type BackupPlan, type ListScope, type PlannedList } from './select.ts';
export { cheaperWay, expectedItems, isListCheaper, type FirstPage, type ListWay } from './list-way.ts';
export { NamespaceShare } from './namespace-share.ts';
export { EXCLUDE_LABEL, reasonNotSelected, reasonToLeaveOut, reasonToLeaveOutNamespace } from './admit.ts';

export { validateBackup, type LocationFacts, type ValidationFacts } from './validate.ts';
export { VELERO_DEFAULTS, expirationOf, unlessZero, withDefaults, type BackupDefaults } from './defaults.ts';
export { resolveSnapshotLocations } from './snapshot-locations.ts';
export { decideQueue, nextPosition, type QueueDecision, type QueuedBackup } from './queue.ts';
export { RUN_TRANSITIONS, isEnded } from './phases.ts';

export type { ItemAction, ItemActionResult } from './item-actions/item-action.ts';
export { podAction } from './item-actions/pod.ts';
export { claimAction } from './item-actions/claim.ts';
export { serviceAccountAction } from './item-actions/service-account.ts';
export { customResourceAction } from './item-actions/custom-resource.ts';
export { hooksForPod, type PodHook, type PodHooks } from './hooks.ts';

export { VELERO_LAYOUT } from './archive-layout.ts';
export { checkToldVersion, FORMAT_VERSION, type ToldVersion, type VersionFinding } from './format-version.ts';
export { missingDataMessage } from './missing-data.ts';
// What a backup says about its volumes is told by the folder of volumes.
export type { BackupVolumeInfo } from '../volumes/index.ts';
