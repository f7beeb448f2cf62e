/**
 * What every long operation has in common: its progress on the way into status, and its log.
 * It must never know a kind: what is measured and when it ends is the engine's business.
 */
export { ApiPatience } from './api-patience.ts';
export { OperationRun, type EndState, type OperationRunOptions, type Snapshot } from './operation-run.ts';
export type { StageTime } from './stage-clock.ts';
export { OperationLog } from './operation-log.ts';
export { OperationLogs } from './operation-logs.ts';
