/**
 * The life of every long operation, written once: admit, queue, begin, attempts, waits, commit before an act, cancel,
 * delete, resume, end; and how it reads and does much without holding up others. It must never know a kind: what is particular to one, its OperationKind says.
 */
export { selectionCondition, type Selected } from './selection-condition.ts';
export { OperationController } from './operation-controller.ts';
export type { Admission, Ending, OperationKind, Pending, Standing, Turn, Work } from './operation-kind.ts';
export { patienceOf, type ControlMetrics, type Operation, type OperationDeps } from './operation.ts';
export type { EndState, OperationRun, Snapshot } from './operation-run.ts';
export { runningStatus } from './running-status.ts';
export type { PatientCalls } from './patience.ts';
export { Findings, type About, type FindingTexts } from './findings.ts';
export { OperationLog } from './operation-log.ts';
export { OperationLogs } from './operation-logs.ts';
export { withGrace, type Stop } from './stop.ts';
export type { Wait } from './waits.ts';
export { inSlices } from './in-slices.ts';
export { readYaml } from './read-yaml.ts';
