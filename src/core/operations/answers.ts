import type { ErrorCode, JsonObject } from '../../base/index.ts';
import type { Operation, OperationCounts } from './operation.ts';
import type { Sample } from './samples.ts';
import type { OperationGroup } from './words.ts';

/** The server's answers, for all its clients: the page, the command line and other programs. */

/** Every unsuccessful answer. */
export interface ErrorAnswer {
  error: {
    code: ErrorCode;
    message: string;
    /** What to do about it. */
    hint?: string;
    /** `fields`: a FieldError for each field that is wrong. */
    details?: JsonObject;
  };
}

/** `metadata.name`, and what is wrong with it in words. */
export interface FieldError {
  field: string;
  message: string;
}

/** `GET /api/namespaces` */
export interface NamespacesAnswer {
  namespaces: string[];
}

/** `GET /api/session` */
export interface SessionAnswer {
  version: string;
  /** To be sent as header `x-csrf-token` with every change; absent without a session cookie. */
  csrf?: string;
  clusters: SessionCluster[];
}

export interface SessionCluster {
  name: string;
  /** How to log in: with a token of the cluster, or with the link that the server printed. */
  login: 'token' | 'link';
  /** Your identity in the cluster; absent when you are not logged in to it. */
  user?: { name: string; groups: string[] };
  /** Where the objects of velero.io are. */
  namespace: string;
  /** False while the server cannot watch the cluster; what is shown of it may be stale. */
  isWatched: boolean;
  /** Why the server does not work on the cluster; only for users who are logged in to it. */
  problem?: string;
  /** What is seen and done of each API group there; only for users who are logged in to it. */
  groups?: SessionGroup[];
}

/** One API group in one cluster. */
export interface SessionGroup {
  name: OperationGroup;
  /** Whether any of its kinds is in the cluster, so that there is something to see. */
  isSeen: boolean;
  /** Kinds whose definitions are not in the cluster, or that the server may not list. */
  missing: string[];
  engine: EngineState;
}

/**
 * Whether this server's own engine works on a group. Whoever else does (Velero, Kanister, MTC), it is seen all the same.
 * `off`: something is in the way, which may pass. `notChosen`: `--engines` does not name it. `notBuilt`: this version
 * has no such engine.
 */
export interface EngineState {
  state: 'on' | 'off' | 'notChosen' | 'notBuilt';
  /** Why it is not on, in a sentence. */
  reason?: string;
  /** What would help, a line each; most have a command. */
  hint?: string;
}

/** `GET /api/operations` */
export interface OperationsAnswer {
  operations: Operation[];
  /** Of everything that matches, not only this page. */
  total: number;
  /** Of everything that matches, on all pages. */
  counts: OperationCounts;
  continue?: string;
}

/** `GET /api/events`: event `snapshot`, sent when a stream begins or cannot continue where it was. */
export type SnapshotEvent = OperationsAnswer;

/** Event `removed`. */
export interface RemovedEvent {
  id: string;
}

/** Event `heartbeat`, sent after at most 1.5 s without another event, and whenever `unseen` changes. */
export interface HeartbeatEvent {
  now: string;
  /** Clusters that the server itself cannot watch now: what is shown of them is from this time. */
  unseen: UnseenCluster[];
}

export interface UnseenCluster {
  cluster: string;
  since: string;
}

/** `GET /api/operations/:id/samples`: how fast it was since this server has watched it. */
export interface SamplesAnswer {
  samples: Sample[];
}

/** `GET /api/backups` */
export interface BackupsAnswer {
  backups: Operation[];
  total: number;
  continue?: string;
}

/** An object in an archive or in a cluster. */
export interface ItemName {
  /** `services`, `deployments.apps` */
  resource: string;
  namespace?: string;
  name: string;
}

/** `GET /api/backups/:id/contents` */
export interface ContentsAnswer {
  /** Of all items, for the tree; items without a namespace first. */
  groups: { namespace?: string; resource: string; count: number }[];
  /** The matching items, in the order of the archive, at most 1000 per page. */
  items: ItemName[];
  /** Number of matching items. */
  total: number;
  continue?: string;
  /** Entries that are not the objects their paths name. */
  problems: string[];
}

/** `GET /api/backups/:id/item` */
export interface ItemAnswer extends ItemName {
  yaml: string;
  /** True when values were replaced by asterisks. */
  isMasked: boolean;
}

/** `GET /api/backups/:id/diff`: the changes that turn the backup's state into the other one. */
export interface DiffAnswer {
  with: string;
  added: ItemName[];
  removed: ItemName[];
  changed: ChangedItem[];
  /** Items that are equal. */
  equal: number;
  /** True when there are more differences than are listed; the counts include everything. */
  isCut: boolean;
  counts: { added: number; removed: number; changed: number };
  /** What could not be compared, such as kinds that may not be read. */
  problems: string[];
}

export interface ChangedItem extends ItemName {
  fields: FieldChange[];
}

export interface FieldChange {
  /** `spec.replicas`, `spec.ports[0].port` */
  path: string;
  /** As JSON; absent where the field does not exist. */
  before?: string;
  after?: string;
}

/** `POST /api/plan`: what would happen; nothing was created. */
export type PlanAnswer = BackupPlanAnswer | RestorePlanAnswer;

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

/** `POST /api/backups/:id/verify` */
export interface VerifyAnswer {
  ok: boolean;
  /** Absent when none was recorded. */
  sha256Expected?: string;
  sha256Found: string;
  entries: number;
  problems: string[];
  /** For a backup with a newer format version; absent when there is nothing to warn about. */
  warnings?: string[];
}

/** `POST /api/backups|restores|schedules`, `POST /api/operations/:id/cancel`, `DELETE /api/operations/:id` */
export interface ChangedAnswer {
  /** The operation's id; absent for objects that are not operations, such as a schedule. */
  id?: string;
  object: JsonObject;
}

/** `GET /api/schedules` */
export interface SchedulesAnswer {
  schedules: ScheduleRow[];
}

export interface ScheduleRow {
  cluster: string;
  namespace: string;
  name: string;
  schedule: string;
  phase: string;
  isPaused: boolean;
  lastBackupAt?: string;
  /** When it would run next; absent when paused, refused or unknown. */
  nextBackupAt?: string;
  /** Id of its newest backup's operation. */
  lastBackup?: string;
  problems: string[];
  object: JsonObject;
}

/** `GET /api/locations` */
export interface LocationsAnswer {
  locations: LocationRow[];
}

export interface LocationRow {
  cluster: string;
  namespace: string;
  name: string;
  provider: string;
  bucket: string;
  prefix?: string;
  isDefault: boolean;
  isReadOnly: boolean;
  phase: 'Available' | 'Unavailable' | 'Unknown';
  /** Why it cannot be used. */
  message?: string;
  lastValidatedAt?: string;
  lastSyncedAt?: string;
  backups: number;
  /** Total size of the completed backups that Headway has measured. */
  bytes: number;
}
