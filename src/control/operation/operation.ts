import type { AppError, Clock, Log } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { withPatience, type Store } from '../../edge/store/index.ts';
import type { EventRecorder, RuntimeDeps, RuntimeMetrics } from '../runtime/index.ts';
import type { OperationLog } from './log/operation-log.ts';
import type { OperationLogs } from './log/operation-logs.ts';
import type { OperationRun } from './operation-run.ts';
import { Patience, type CallLimits, type PatientCalls } from './patience.ts';
import type { ToldWait, WaitKind } from './waits.ts';

/** Where the controllers' own numbers go; the names are those of the metrics table. */
export interface ControlMetrics extends RuntimeMetrics {
  add(name: string, labels: Readonly<Record<string, string>>, by?: number): void;
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
}

/** What the operation layer needs from outside. */
export interface OperationDeps extends RuntimeDeps {
  kube: KubeClient;
  metrics: ControlMetrics;
  events: Pick<EventRecorder, 'record'>;
  logs: OperationLogs;
  /** Not aborted as long as this process is the leader. */
  term(): AbortSignal;
  /** Checked before every write: false once another process may lead. */
  mayWrite(): boolean;
}

/** One attempt at an operation, as its kind's work sees it. */
export interface Operation {
  /** As it was when the attempt began. */
  readonly object: KubeObject;
  readonly attempt: number;
  readonly run: OperationRun;
  readonly log: OperationLog;
  /** Outlives a cancel, and a stop by a little: not aborted as long as this process may act for the operation. */
  readonly lasting: AbortSignal;
  /** Requests to the API server that wait while it is unreachable. */
  api(signal: AbortSignal, limits?: CallLimits): PatientCalls;
  /** The same store, but waiting while it is unreachable. */
  readonly patient: (store: Store) => Store;
}

/** How long a server may take to answer a version request. */
const VERSION_DEADLINE_MS = 5_000;

/** Who is told of outages: an operation's run, or somebody who needs less. */
export interface Teller {
  wait(cause: AppError, kind: WaitKind): ToldWait;
}

/** The operation's retries of API server requests; outages show up in its waits. */
export function patienceOf(
  run: Teller,
  { kube, clock, random }: Pick<OperationDeps, 'kube' | 'clock' | 'random'>,
  limitMs?: number,
): Patience {
  return new Patience({
    clock,
    random,
    onWaiting: (cause) => run.wait(cause, 'away'),
    isAnswering: async (signal) => {
      try {
        await kube.version({ signal, deadlineMs: VERSION_DEADLINE_MS });
        return true;
      } catch {
        // Whatever the error: the API server itself does not answer.
        return false;
      }
    },
    ...(limitMs === undefined ? {} : { limitMs }),
  });
}

/** A store whose outages show up in the operation's waits. */
export function patientStore(
  store: Store,
  run: Teller,
  { clock, random, log }: { clock: Clock; random: () => number; log: Log },
): Store {
  let wait: ToldWait | undefined;
  return withPatience(store, {
    ...{ clock, random, log },
    onWaiting: (cause) => {
      if (wait === undefined) wait = run.wait(cause, 'away');
      else wait.tell(cause);
    },
    onResumed: () => {
      wait?.end();
      wait = undefined;
    },
  });
}
