import type { Clock, Log } from '../../base/index.ts';

/** What every part of the runtime needs from outside. */
export interface RuntimeDeps {
  clock: Clock;
  log: Log;
  /** In [0, 1), for jitter. */
  random: () => number;
}

/** Something the manager starts and stops. `run` ends soon after its signal is aborted, and throws only for a bug. */
export interface Part {
  readonly name: string;
  /** Resolves when the parts that depend on this one may start. */
  readonly ready?: Promise<void>;
  run(signal: AbortSignal): Promise<void>;
  /** What it is working on, to be reported if it does not stop in time. */
  busy?(): readonly string[];
}

export type ReconcileOutcome = 'done' | 'requeued' | 'invalid' | 'transient' | 'bug' | 'stopped';

/** Where the runtime's numbers go; the server turns them into metrics. */
export interface RuntimeMetrics {
  reconciled(controller: string, outcome: ReconcileOutcome, durationMs: number): void;
  /** Keys that wait for a worker. */
  queueDepth(controller: string, depth: number): void;
}

export const NO_METRICS: RuntimeMetrics = {
  reconciled: () => undefined,
  queueDepth: () => undefined,
};
