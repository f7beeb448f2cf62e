import type { Clock, Log } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { withPatience, type Store } from '../../edge/store/index.ts';
import type { EventRecorder, RuntimeDeps, RuntimeMetrics } from '../runtime/index.ts';
import type { OperationLog } from './log/operation-log.ts';
import type { OperationLogs } from './log/operation-logs.ts';
import type { OperationRun } from './operation-run.ts';
import { Patience, type PatientCalls } from './patience.ts';
import type { Wait } from './waits.ts';

/** Where the controllers' own numbers go; the names are those of the metrics' table. */
export interface ControlMetrics extends RuntimeMetrics {
  add(name: string, labels: Readonly<Record<string, string>>, by?: number): void;
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
}

/** What the life of an operation needs from outside. */
export interface OperationDeps extends RuntimeDeps {
  kube: KubeClient;
  metrics: ControlMetrics;
  events: Pick<EventRecorder, 'record'>;
  logs: OperationLogs;
  /** Lasts as long as this process is to work as the leader. */
  term(): AbortSignal;
  /** Asked before every write: false once another process may lead. */
  mayWrite(): boolean;
}

/** One attempt at an operation, as its kind's work sees it. */
export interface Operation {
  /** As it was when the attempt began. */
  readonly object: KubeObject;
  readonly attempt: number;
  readonly run: OperationRun;
  readonly log: OperationLog;
  /** Lasts beyond a cancel, and a little beyond a stop: as long as this process may act for the operation. */
  readonly lasting: AbortSignal;
  /** Requests to the API server that wait while it is away. */
  api(signal: AbortSignal): PatientCalls;
  /** The same store, waiting while it is away. */
  readonly patient: (store: Store) => Store;
}

/** How long a server may take to say that it is there. */
const VERSION_DEADLINE_MS = 5_000;

/** The patience of one operation with the API server, told in its waits. */
export function patienceOf(
  run: Pick<OperationRun, 'wait'>,
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
        // Whatever it says: the API server itself does not answer.
        return false;
      }
    },
    ...(limitMs === undefined ? {} : { limitMs }),
  });
}

/** A store whose outages are told in the operation's waits. */
export function patientStore(
  store: Store,
  run: Pick<OperationRun, 'wait'>,
  { clock, random, log }: { clock: Clock; random: () => number; log: Log },
): Store {
  let wait: Wait | undefined;
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
