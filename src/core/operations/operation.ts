import type { Stage } from '../../api/meta/stages.ts';
import type { JsonObject, ObjectRef } from '../../base/index.ts';
import type { Measure, Report, StepState } from '../progress/index.ts';
import type { Noun } from './words.ts';

/** One running or ended piece of work, whatever its kind: the row of every list and the head of every page. */
export interface Operation {
  /** `<cluster>.<kind>.<namespace>.<name>`, see operation-id.ts. */
  id: string;
  cluster: string;
  /** The word of the command line and the page: `migration`. */
  noun: Noun;
  ref: ObjectRef;
  /** The custom resource's own phase; `report.state` is the same for every kind. */
  phase: string;
  report: Report;
  createdAt: string;
  endedAt?: string;
  /** How long it took; set once it has ended. */
  seconds?: number;
  facts: OperationFacts;
  /** The problems in status; the detail also has those in the results file. */
  problems: ProblemGroup[];
  errors: number;
  /** Those that Velero counts, and what Headway itself warns about. */
  warnings: number;
  /** Where it is among its steps, of kinds that have them: `step 3 of 6`. */
  step?: StepPosition;
  /** For an ended operation: its outcome, in words that can be pasted into a ticket. */
  sentence?: string;
  /** Id of the operation that this one is part of, while that one is there and may be seen. */
  parent?: string;
}

/** `step 3 of 6`: a step of a pipeline, a phase of an action, or MTC's `Step: 18/33`. */
export interface StepPosition {
  /** Counted from 1. */
  number: number;
  of: number;
  name: string;
}

/** What a kind reports beyond its progress. */
export interface OperationFacts {
  /** For a restore: the backup it restores from. */
  backup?: string;
  schedule?: string;
  location?: string;
  /** Selected by the user; absent means all. */
  namespaces?: string[];
  /** From the namespace in the backup to the namespace it is restored into. */
  namespaceMapping?: Record<string, string>;
  expiresAt?: string;
  /** Size of a backup's archive. */
  sizeBytes?: number;
  /** Claims that are in the backup or were restored, but not their data. */
  claimsWithoutData?: number;
  queuePosition?: number;
  /** Of a volume: the claim, else the volume, that is copied. */
  volume?: string;
  /** `namespace/name` of the pod that mounts it. */
  pod?: string;
  /** The volume plugin, uploader or data mover. */
  plugin?: string;
  /** The snapshot in the plugin's own words. */
  snapshot?: string;
  /** Of a volume: the claim with its namespace, as `namespace/name`. */
  claim?: string;
  /** Which attempt it is, from the second on. */
  attempt?: number;
  /** Bytes of files that an earlier snapshot had, so that they were not read again. */
  reusedBytes?: number;
  /** Bytes that the store got, after equal parts were left out and the rest was compressed. */
  uploadedBytes?: number;
  /** Files in the snapshot. */
  files?: number;
  /** Of a volume that is restored: what it was when it was backed up, maybe in another cluster. */
  backedUp?: { claim: string; bytes?: number; at?: string };
  /** Of an action set: what it does, as `backup of statefulset mysql/mysql`. */
  actions?: string[];
  /** The Blueprints of its actions. */
  blueprints?: string[];
  /** Of a migration. */
  plan?: string;
  /** Stage, Final, Failed, Cancel or Rollback. */
  itinerary?: string;
  migrationType?: 'stage' | 'final' | 'rollback';
  /** The names in its spec that matched nothing, in a sentence. */
  unmatched?: string;
  /** Nothing matched at all, so that there was nothing to do. */
  isNothingSelected?: boolean;
  isCancelAsked?: boolean;
  isDeleting?: boolean;
}

/** Everything about one operation. */
export interface OperationDetail extends Operation {
  stages: StageTime[];
  /** The steps of its pipeline, the phases of its actions, or its stages so far; at most 100, around the running one. */
  steps: OperationStep[];
  /** How many steps there are. */
  stepsTotal: number;
  itemsByKind: KindCounts[];
  /**
   * The operations that are parts of this one, and theirs: those nearest to it first, and of equally near ones what
   * needs attention first. At most 200; `GET /api/operations?parent=` has all of one parent.
   */
  parts: Operation[];
  /** Of all parts. */
  partCounts: OperationCounts;
  /** The custom resource, without managedFields. */
  object: JsonObject;
}

/** By state, and how many of the running ones are stalled. */
export type OperationCounts = Record<Report['state'] | 'stalled', number>;

/** One step of an operation, for the row of steps and what is below it. */
export interface OperationStep {
  /** Counted from 1. */
  number: number;
  name: string;
  state: StepState;
  /** What it is part of where several run at once: the action, as `backup of statefulset mysql/mysql`. */
  of?: string;
  /** It runs at the end, whatever became of the others, and does not count in the percent. */
  isDeferred?: boolean;
  startedAt?: string;
  endedAt?: string;
  /** Whole; absent where nothing tells it. */
  percent?: number;
  measures: Measure[];
  etaSeconds?: number;
  /** The phase inside of it that runs, or ran when it ended. */
  phase?: string;
  phaseStartedAt?: string;
  /** What the phase does, in one sentence. */
  sentence?: string;
  /** What moves in it, in the words of whoever wrote it; at most 100. */
  lines: string[];
}

export interface StageTime {
  stage: Stage;
  startedAt: string;
  /** Absent for the current stage. */
  endedAt?: string;
}

export interface KindCounts {
  kind: string;
  total?: number;
  created?: number;
  updated?: number;
  skipped?: number;
  failed?: number;
}

/** Similar problems as one. */
export interface ProblemGroup {
  level: 'error' | 'warning';
  count: number;
  /** `could not create Service (12): port already allocated` */
  text: string;
  /** The messages themselves, at most 20. */
  examples: string[];
}
