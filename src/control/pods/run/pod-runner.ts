import { HEADWAY_POD_LABEL, POD } from '../../../api/index.ts';
import { AppError, messageOf, type Clock, type Log } from '../../../base/index.ts';
import type { KubeClient, KubeObject, LogLine } from '../../../edge/kube/index.ts';
import { timeLimit } from '../../runtime/index.ts';
import { readObject } from '../../runtime/objects/index.ts';
import type { PodDiagnosis } from '../diagnosis/index.ts';
import { PodWatch } from '../pod-watch.ts';
import { placePod, type Calls } from './place-pod.ts';
import { PodAttendance, type PodEnd } from './pod-attendance.ts';
import { containerOf, isOurs, type PodRequest } from './pod-request.ts';
import { removePod } from './remove-pod.ts';
import { Verdict } from './verdict.ts';
import type { Waiting } from './waiting.ts';

export interface PodRunnerDeps {
  kube: KubeClient;
  clock: Clock;
  random: () => number;
  log: Log;
  /** For requests that may wait while the API server does not answer; an operation's `api`. */
  api: (signal: AbortSignal) => Calls;
}

export interface PodRunOptions {
  /** Ends the run. */
  signal: AbortSignal;
  /** Not aborted as long as this process may act for the pod: it outlives a cancel, so that the pod can be removed. */
  lasting: AbortSignal;
  /** Whether the aborted signal means that nobody needs the pod any more; else it is left for the next process. */
  isCanceled: (signal: AbortSignal) => boolean;
  /** Every line of its log once, in order; the next one waits for the promise. A new process begins at the beginning. */
  onLine?: (line: LogLine) => void | Promise<void>;
  /** Longer lines are cut; 64 KiB unless given. */
  maxLineBytes?: number;
  /** The pod is there, made now or by an earlier process. */
  onPlaced?: (pod: KubeObject) => void;
  /** The program runs, or ran already. */
  onStarted?: () => void;
  /** The program has ended and its whole log was read. The pod is removed when the promise is kept, not before. */
  onEnded?: (end: PodEnd) => Promise<void>;
  onWaiting: (cause: AppError) => Waiting;
}

/**
 * Runs pods to their end: each is created, or found again after a restart; its log is read; it is removed at the end.
 * One that cannot succeed is given up within 15 s with the reason; one that may still come is waited for.
 */
export class PodRunner {
  readonly #deps: PodRunnerDeps;
  readonly #watch: PodWatch;

  /** The signal ends all runs. The selector must choose the pods of all requests. */
  constructor(deps: PodRunnerDeps, signal: AbortSignal, { labelSelector = HEADWAY_POD_LABEL } = {}) {
    this.#deps = deps;
    this.#watch = new PodWatch({ labelSelector, signal }, deps);
  }

  async run(request: PodRequest, options: PodRunOptions): Promise<PodEnd> {
    const { clock } = this.#deps;
    const what = `pod ${request.namespace}/${request.name}`;
    const seconds = request.deadlineMs / 1000;
    let why = 'it could not be created';
    const wait = options.onWaiting(new AppError('timeout', `${what} has to be created`));
    const limit = timeLimit(options.signal, request.deadlineMs, {
      clock,
      late: () => new AppError('timeout', `${what} has not ended after ${seconds} s: ${why}`),
    });
    const tell = (cause: string, diagnosis?: PodDiagnosis): void => {
      why = cause;
      wait.tell(new AppError('timeout', cause));
      wait.explain(diagnosis);
    };
    const { signal } = limit;
    try {
      const pod = await this.#place(request, tell, signal);
      options.onPlaced?.(pod);
      const { onLine, onStarted, maxLineBytes } = options;
      const attended = { pod, container: containerOf(request), tell, signal, onLine, onStarted, maxLineBytes };
      const end = await new PodAttendance(attended, { ...this.#deps, watch: this.#watch }).toEnd();
      await options.onEnded?.(end);
      return end;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      limit.end();
      wait.end();
      const isLeft = options.signal.aborted && !options.isCanceled(options.signal);
      if (!isLeft && !options.lasting.aborted) await this.remove(request, options.lasting);
    }
  }

  async close(): Promise<void> {
    await this.#watch.close();
  }

  async #place(
    request: PodRequest,
    tell: (cause: string, diagnosis: PodDiagnosis) => void,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const { clock, api } = this.#deps;
    const verdict = new Verdict();
    const onRefused = (diagnosis: PodDiagnosis): void => {
      tell(diagnosis.cause, diagnosis);
      verdict.judge(diagnosis, clock.uptime());
    };
    return await placePod(request, { ...this.#deps, onRefused }, { api: api(signal), signal });
  }

  /** Also one whose creation was cut off, so that nobody knows whether it is there. Never throws. */
  async remove(request: PodRequest, signal: AbortSignal): Promise<void> {
    const { kube, api, log } = this.#deps;
    const { namespace, name } = request;
    const pod = `${namespace}/${name}`;
    try {
      const calls = api(signal);
      const found = await calls.call(() => readObject({ type: POD, namespace, name }, { kube }, signal));
      if (found === undefined || !isOurs(found, request)) return;
      const isGone = await calls.call(() =>
        removePod(found, this.#deps, { signal, graceSeconds: request.graceSeconds }),
      );
      if (!isGone) log.warn('pod does not go', { pod });
    } catch (error) {
      // What it did is done. It goes with its owner, or is found by its label.
      log.warn('pod not removed', { pod, err: messageOf(error) });
    }
  }
}
