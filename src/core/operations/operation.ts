import type { Stage } from '../../api/index.ts';
import type { JsonObject, ObjectRef } from '../../base/index.ts';
import type { Report } from '../progress/index.ts';

/** One running or ended piece of work, whatever its kind: the row of every list and the head of every page. */
export interface Operation {
  /** `<cluster>.<kind>.<namespace>.<name>`, see operation-id.ts. */
  id: string;
  cluster: string;
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
  /** For an ended operation: its outcome, in words that can be pasted into a ticket. */
  sentence?: string;
  /** Id of the operation that this one is part of. */
  parent?: string;
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
  itemsByKind: KindCounts[];
  /** The operations that are parts of this one. */
  parts: Operation[];
  /** The custom resource, without managedFields. */
  object: JsonObject;
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
