/**
 * The life cycle of every long operation, written once: admit, queue, begin, attempts, waits, commit before an act,
 * cancel, delete, resume, end. Also its log (`log`), and reading user-written YAML without blocking other work
 * (`yaml`). It knows no kind: what is specific to one is in its OperationKind.
 */
export { tellSelection, type Selected } from './tell-selection.ts';
export { OperationController } from './operation-controller.ts';
export type { Admission, Ending, OperationKind, Pending, Standing, Turn, Work } from './operation-kind.ts';
export { patienceOf, type ControlMetrics, type Operation, type OperationDeps } from './operation.ts';
export { OperationRun, type EndState, type Snapshot } from './operation-run.ts';
export { runningStatus } from './running-status.ts';
export { UNHURRIED, type PatientCalls } from './patience.ts';
export { Findings, type About, type FindingTexts } from './findings.ts';
export { OperationLog } from './log/operation-log.ts';
export { OperationLogs } from './log/operation-logs.ts';
export { stopOf, withGrace, type Stop } from './stop.ts';
export { NO_WAIT, type Explain, type Explanation, type Wait } from './waits.ts';
export { inSlices } from './in-slices.ts';
export { everyMoment } from './every-moment.ts';
export { readYaml } from './yaml/read-yaml.ts';
