import type { OperationStep } from '../../../src/core/operations/index.ts';

/** One step of the row: of a pipeline, a phase of an action, or a stage. */
export interface Step {
  /** Counted from 1. */
  number: number;
  name: string;
  state: ShownState;
  /** What went wrong in it, such as `12 failed`. */
  trouble?: string;
  /** Absent for what has not begun. */
  seconds?: number;
  /** Of several actions that run at once, the one that it belongs to. */
  of?: string;
  /** What there is to open; stages have nothing more to tell. */
  inside?: OperationStep;
}

export type ShownState =
  'done' | 'partly' | 'running' | 'stalled' | 'failed' | 'canceled' | 'skipped' | 'notStarted' | 'notReached';
