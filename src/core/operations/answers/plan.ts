import type { Json } from '../../../base/index.ts';
import type { ItemName } from './contents.ts';

/** `POST /api/plan`: what would happen; nothing was created. */
export type PlanAnswer = BackupPlanAnswer | RestorePlanAnswer;

/** `POST /api/plan` of an ActionSet: what its phases would be told, with every value of a Secret masked. */
export interface ActionPlanAnswer {
  kind: 'ActionSet';
  /** Why it would be refused; then some of the rest is missing. */
  problems: string[];
  actions: PlannedPhases[];
}

/** The phases of one action, the one that runs last at the end. */
export interface PlannedPhases {
  action: string;
  blueprint: string;
  phases: PlannedPhase[];
}

export interface PlannedPhase {
  phase: string;
  function: string;
  arguments: Record<string, PlannedArgument>;
}

/** What is known before anything has run: a value, what it has to wait for, or why it cannot be rendered. */
export type PlannedArgument = { value: Json } | { waitsFor: string } | { problems: string[] };

/** A name or selector in a spec that matches nothing; most often it is misspelled. */
export interface UnmatchedName {
  /** Of the spec, such as `includedNamespaces`. */
  field: string;
  name: string;
  message: string;
}

/** `POST /api/selection`: whether the names in a spec match something, for those who are about to create it. */
export interface SelectionAnswer {
  /** Why it would be refused; then the rest is not known. */
  validationErrors: string[];
  unmatched: UnmatchedName[];
  /** Nothing at all is selected. */
  isNothing: boolean;
}

export interface BackupPlanAnswer {
  kind: 'Backup';
  /** Why it would be refused; then the rest is empty. */
  validationErrors: string[];
  unmatched: UnmatchedName[];
  warnings: string[];
  namespaces: string[];
  /** Items by type, in the order they would be written. */
  resources: PlannedResource[];
  total: number;
  leftOut: LeftOutGroup[];
  /** Claims, and whether their data would be copied; at most 10 000. Absent in answers of older servers. */
  volumes?: PlannedVolume[];
}

export interface PlannedResource {
  /** `services`, `deployments.apps` */
  resource: string;
  kind: string;
  count: number;
  /** True when the server counted without reading each item. */
  isEstimate: boolean;
}

export interface RestorePlanAnswer {
  kind: 'Restore';
  validationErrors: string[];
  unmatched: UnmatchedName[];
  warnings: string[];
  backup: string;
  counts: Record<PlannedAction, number>;
  /** In the order they would be restored, at most 10 000. */
  items: PlannedItem[];
  /** True when there are more items than are listed; the counts include all. */
  isCut: boolean;
  leftOut: LeftOutGroup[];
  /** Claims, and whether their data would come back; at most 10 000. Absent in answers of older servers. */
  volumes?: PlannedVolume[];
}

/** The data of one claim. */
export interface PlannedVolume {
  /** As `namespace/name`; of a restore in the namespace it is restored into. */
  claim: string;
  /** Who would copy or restore it; absent if nobody would. */
  plugin?: string;
  bytes?: number;
  /** Why its data would not be copied or restored. */
  reason?: string;
}

/** `exists`: it already exists and stays unchanged. `fail`: it cannot be created or changed. */
export type PlannedAction = 'create' | 'update' | 'exists' | 'fail';

export interface PlannedItem extends ItemName {
  /** `namespace` is the one it is restored into. */
  action: PlannedAction;
  /** Why it fails, or what differs. */
  reason?: string;
}

export interface LeftOutGroup {
  reason: string;
  count: number;
  /** At most 20. */
  examples: string[];
}
