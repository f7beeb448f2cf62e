/**
 * Every kind of work in one shape: an operation with a report, whatever custom resource it comes from, and the server's
 * answers made from it. It must never do I/O, read a clock, or know a kind outside of its adapter.
 */
export type { KindCounts, Operation, OperationDetail, OperationFacts, ProblemGroup, StageTime } from './operation.ts';
export { formatOperationId, parseOperationId, type OperationName } from './operation-id.ts';
export type { Adapted, Adapter } from './adapter.ts';
export { ADAPTERS, adapterFor } from './adapters.ts';
export { readDetail, readOperation, type Seen } from './read-operation.ts';
export {
  OPERATION_SORTS,
  matchesIdentity,
  matchesState,
  parseStates,
  type OperationQuery,
  type OperationSort,
} from './operation-query.ts';
export { atMoment } from './at-moment.ts';
export { OperationTree, type Changes, type MaySee, type TreeEntry } from './operation-tree.ts';
export { dataGap, groupProblems, mergeProblems } from './problems.ts';
export { ProblemGroups, withoutRequest, type ProblemMessage } from './problem-groups.ts';
export { addSample, type Sample } from './samples.ts';
export { closingSentence } from './sentence.ts';
export { CANCEL_ANNOTATION, RETRY_ANNOTATION } from './annotations.ts';
export { NOTHING_SELECTED, UNMATCHED_NAMES } from './selection-facts.ts';
export { LEADER_LEASE, readLeaderSign, silenceText, type LeaderSign } from './leader.ts';
export { METRICS, type MetricFacts, type MetricName } from './metrics.ts';
export type {
  BackupPlanAnswer,
  BackupsAnswer,
  ChangedAnswer,
  ChangedItem,
  ContentsAnswer,
  DiffAnswer,
  ErrorAnswer,
  FieldChange,
  FieldError,
  HeartbeatEvent,
  ItemAnswer,
  ItemName,
  LeftOutGroup,
  LocationRow,
  LocationsAnswer,
  NamespacesAnswer,
  OperationCounts,
  OperationsAnswer,
  PlanAnswer,
  PlannedAction,
  PlannedItem,
  PlannedResource,
  SelectionAnswer,
  RemovedEvent,
  RestorePlanAnswer,
  SamplesAnswer,
  ScheduleRow,
  SchedulesAnswer,
  SessionAnswer,
  SessionCluster,
  SnapshotEvent,
  UnmatchedName,
  VerifyAnswer,
  UnseenCluster,
} from './answers.ts';
