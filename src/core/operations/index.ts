/**
 * Every kind of work in one shape: an operation with a report, whatever custom resource it comes from, and the server's
 * answers made from it. It must never do I/O, read a clock, or know a kind outside of its adapter.
 */
export type {
  KindCounts,
  Operation,
  OperationCounts,
  OperationDetail,
  OperationFacts,
  OperationStep,
  ProblemGroup,
  StageTime,
  StepPosition,
} from './operation.ts';
export { formatOperationId, parseOperationId, type OperationName } from './operation-id.ts';
export { GROUPS, NOUNS, type Namespaces, type Noun, type OperationGroup, type Scope } from './words.ts';
export {
  hasVerb,
  type Adapted,
  type Adapter,
  type Count,
  type Deletion,
  type OwnMetrics,
  type StoredFiles,
  type UsualStages,
  type Verb,
} from './adapter.ts';
export { ADAPTERS, adapterFor, adaptersOf, findAdapter } from './adapters.ts';
export type { CancelWay } from './cancel-way.ts';
export type { ParentRef } from './parent-ref.ts';
export { operationTitle } from './title.ts';
export { volumeBytes } from './volume-bytes.ts';
export { readDetail, readOperation, type ReadDetail, type Seen } from './read-operation.ts';
export {
  OPERATION_SORTS,
  matchesIdentity,
  matchesNow,
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
export { CANCEL_ANNOTATION, RETRY_ANNOTATION, VERIFY_ANNOTATION } from './annotations.ts';
export { NOTHING_SELECTED, UNMATCHED_NAMES } from './selection-facts.ts';
export { LEADER_LEASE, readLeaderSign, silenceText, type LeaderSign } from './leader.ts';
export { METRICS, type MetricFacts, type MetricName } from './metrics.ts';
export type {
  ActionPlanAnswer,
  BackupPlanAnswer,
  BackupsAnswer,
  BlueprintAnswer,
  BlueprintProblem,
  BlueprintRow,
  BlueprintsAnswer,
  ChangedAnswer,
  ChangedItem,
  ContentsAnswer,
  DiffAnswer,
  EngineState,
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
  OperationsAnswer,
  PlanAnswer,
  PlannedAction,
  PlannedArgument,
  PlannedItem,
  PlannedPhase,
  PlannedPhases,
  PlannedResource,
  PlannedVolume,
  SelectionAnswer,
  RemovedEvent,
  RestorePlanAnswer,
  SamplesAnswer,
  ScheduleRow,
  SchedulesAnswer,
  SessionAnswer,
  SessionCluster,
  SessionGroup,
  SnapshotEvent,
  StoredVolume,
  UnmatchedName,
  VerifyAnswer,
  UnseenCluster,
  VolumeFile,
  FilesListing,
  VolumeFilesAnswer,
  VolumesAnswer,
} from './answers/index.ts';
