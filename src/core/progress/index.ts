/**
 * The progress model of every operation: measures, meter, rate, ETA, stall, counting, combination, pipeline, report.
 * It must never read a clock, do I/O or know a particular engine; time is an argument of every function that needs it.
 */
export { UNKNOWN, cleanMeasure, estimate, exact, percentOf, type Measure, type Total, type Unit } from './measure.ts';
export { isTerminal, type OperationState } from './state.ts';
export { feed, newMeter, type Meter, type MeterEvent } from './meter.ts';
export { stallOf, takeReport, type ChildReport, type Report, type ReportExtras, type Waiting } from './report.ts';
export type { Diagnosis } from './stall.ts';
export { ItemCounting, type Counts, type Outcome } from './counting.ts';
export { itemId, itemName, type ItemKey } from './item-key.ts';
export { addMeasures, meanPercent, smallestPercent, wholePercent } from './combine.ts';
export { exactMean, exactPercent, percentText, readPercentText } from './exact-percent.ts';
export {
  breakOff,
  changeItinerary,
  completePipeline,
  enterPhase,
  phasePosition,
  pipelinePercent,
  planSteps,
  setLines,
  stepState,
  type PlannedPhase,
  type Step,
  type StepState,
} from './pipeline.ts';
export { present } from './present.ts';
export { WINDOW_SECONDS } from './rate-window.ts';
export { publishDecision, PUBLISH_INTERVAL_MS, type LastWrite } from './publish.ts';
export { fromStatusProgress, toStatusProgress } from './wire.ts';
