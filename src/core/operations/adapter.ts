import type { Rename } from '../../api/meta/rename.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import type { Stage } from '../../api/meta/stages.ts';
import type { JsonObject } from '../../base/index.ts';
import type { Measure, OperationState } from '../progress/index.ts';
import type { CancelWay } from './cancel-way.ts';
import type { MetricName } from './metrics.ts';
import type { Operation, OperationFacts, OperationStep, StepPosition } from './operation.ts';
import type { ParentRef } from './parent-ref.ts';
import type { Noun, OperationGroup, Scope } from './words.ts';

/**
 * What people can do with an operation of a kind. `plan` is a dry run, `contents` looks into what it has stored, `items`
 * are listed one by one, `retry` does again what failed.
 */
export type Verb = 'create' | 'cancel' | 'delete' | 'plan' | 'logs' | 'contents' | 'items' | 'retry';

/** What is specific to the objects of one kind; the rest is the same for all kinds and is read in one place. */
export interface Adapted {
  state: OperationState;
  /** The kind's own word for where it stands. */
  phase: string;
  /** From upstream's fields, such as itemsRestored and totalItems. Headway's own bytes are added where it has none. */
  measures: readonly Measure[];
  /** With decimals, where upstream tells one or it follows from phases; Headway's own `progress.percent` wins. */
  percent?: number;
  /** The percent is published with two decimals, so that `report.exactPercent` shows it so. */
  isExact?: boolean;
  startedAt?: string;
  endedAt?: string;
  /** What it does now, where Headway's own `progress.current` says nothing. */
  current?: string;
  step?: StepPosition;
  /** What one that has not begun waits for, where no condition says it. */
  waitsFor?: string;
  facts: OperationFacts;
  /** Why it failed, where no field that all kinds have says it. */
  failure?: string;
}

/** How an operation is deleted, and what goes with it. */
export interface Deletion {
  /** For people who are asked: `its log and results are deleted; what it restored stays`. */
  consequence: string;
  /** The object to create instead of deleting the operation's own, where more than that must go. */
  request?(object: KubeObject): { type: ResourceType; object: KubeObject };
}

/** The files that an operation leaves in a location, and the DownloadRequests by which they are read. */
export interface StoredFiles {
  folder: 'backups' | 'restores';
  log: 'BackupLog' | 'RestoreLog';
  results: 'BackupResults' | 'RestoreResults';
  items: 'BackupResourceList' | 'RestoreResourceList';
}

export interface UsualStages {
  /** What usually comes, to show what has not started; a stage that only some operations have appears when it begins. */
  usual: readonly Stage[];
  /** In which the items are settled, so that their failures belong there. */
  working: Stage;
}

export interface Count {
  name: MetricName;
  labels: Readonly<Record<string, string>>;
}

/** Numbers under upstream's names, besides those that every kind has. */
export interface OwnMetrics {
  /** What it adds to a gauge for as long as it is there. */
  now?(operation: Operation): Count;
  /** What it adds to a counter when it has ended. */
  ended?(operation: Operation): Count;
}

/** Everything needed to show a kind as an operation, and to change it. */
export interface Adapter {
  type: ResourceType;
  noun: Noun;
  group: OperationGroup;
  scope: Scope;
  verbs: readonly Verb[];
  /** The verb for what it did, as in `Restored 2 419 of 2 431 items`. */
  did: string;
  /** What is counted as items, in the singular. */
  item: string;
  /** Absent for what cannot be canceled by itself. */
  cancel?: CancelWay;
  /** What a cancel leaves behind, as in `It stops where it is: …`. */
  afterCancel: string;
  deletion: Deletion;
  files?: StoredFiles;
  /** For kinds whose steps are stages. */
  stages?: UsualStages;
  metrics?: OwnMetrics;
  /** Names that others write for fields of its status. */
  renames?: readonly Rename[];
  adapt(object: KubeObject, status: JsonObject): Adapted;
  /** The steps of its page, if they are other than its stages. */
  steps?(object: KubeObject, status: JsonObject): OperationStep[];
  /** The operation that this one is part of. */
  parent?(object: KubeObject): ParentRef | undefined;
  /** The kinds of which it may be a part, for those who list no more than they need to find the parts of one. */
  partOf?: readonly string[];
  /** The kind that tells the same and more, where one of it has the same name and the same parent. */
  twin?: string;
}

export function hasVerb({ verbs }: Adapter, verb: Verb): boolean {
  return verbs.includes(verb);
}
