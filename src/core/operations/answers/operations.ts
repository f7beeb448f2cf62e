import type { JsonObject } from '../../../base/index.ts';
import type { Operation, OperationCounts } from '../operation.ts';
import type { Sample } from '../samples.ts';

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

/** `POST /api/backups|restores|schedules`, `POST /api/operations/:id/cancel`, `DELETE /api/operations/:id` */
export interface ChangedAnswer {
  /** The operation's id; absent for objects that are not operations, such as a schedule. */
  id?: string;
  object: JsonObject;
}
