import { AppError, isAppError, messageOf, type JsonObject } from '../../../base/index.ts';
import type { KubeClient, KubeObject, LogLine } from '../../../edge/kube/index.ts';
import { childAbort } from '../../runtime/index.ts';
import { diagnosisError, type PodDiagnosis } from '../diagnosis/index.ts';
import type { PodWatch } from '../pod-watch.ts';
import { lookAt, type LooksDeps } from './pod-looks.ts';
import { standingOf, type Standing } from './standing.ts';
import { Verdict } from './verdict.ts';

export interface Attended {
  pod: KubeObject;
  container: string;
  /** What it is waited for, in words, and what the cluster says is in the way. */
  tell: (cause: string, diagnosis?: PodDiagnosis) => void;
  signal: AbortSignal;
  onLine: ((line: LogLine) => void | Promise<void>) | undefined;
  onStarted: (() => void) | undefined;
  maxLineBytes: number | undefined;
}

interface AttendanceDeps extends LooksDeps {
  kube: KubeClient;
  watch: PodWatch;
}

/** How the program ended by itself. Whatever else ended it is an error that says so. */
export interface PodEnd {
  exitCode: number;
}

const LOOK_EVERY_MS = 2_000;
/** While it runs; a program may well say nothing for a while. */
const QUIET_LOOK_MS = 10_000;
/** After the program has ended, the rest of its log is waited for as long as something of it comes. */
const DRAIN_MS = 30_000;
/** The caller's own limit ends everything; this one only has to be longer. */
const NO_LIMIT_MS = 20 * 24 * 3600_000;

/** One pod from its creation to its end, run by run: its state, its log, and what is in its way. */
export class PodAttendance {
  readonly #of: Attended;
  readonly #deps: AttendanceDeps;
  readonly #name: { namespace: string; name: string };
  readonly #what: string;
  /** By the clock's uptime. */
  #lastLineAt = 0;

  constructor(of: Attended, deps: AttendanceDeps) {
    const { namespace = '', name } = of.pod.metadata;
    this.#of = of;
    this.#deps = deps;
    this.#name = { namespace, name };
    this.#what = `pod ${namespace}/${name}`;
  }

  async toEnd(): Promise<PodEnd> {
    for (let read = -1; ;) {
      const standing = await this.#news(read);
      if (standing.state !== 'waiting' && standing.run !== undefined && standing.run > read) {
        this.#of.onStarted?.();
        await this.#readLogs(standing.run, standing.run - read - 1);
        read = standing.run;
      } else if (standing.state === 'ended') return { exitCode: standing.exitCode };
      else if (standing.state === 'broken') throw diagnosisError(standing.diagnosis);
    }
  }

  /** Waits until there is a log that has not been read, or none to come. Throws when the pod is given up. */
  async #news(read: number): Promise<Standing> {
    const { clock } = this.#deps;
    const waiting = `${this.#what} has to start`;
    this.#of.tell(waiting);
    const verdict = new Verdict();
    const tell = (found: PodDiagnosis | undefined): void => {
      this.#of.tell(found?.cause ?? waiting, found);
      verdict.judge(found, clock.uptime());
    };
    const stop = childAbort(this.#of.signal);
    const { signal } = stop;
    const seen = this.#standing((now) => now.state === 'ended' || now.state === 'broken' || runOf(now) > read, signal);
    try {
      return await Promise.race([seen, lookAt(this.#name, { everyMs: LOOK_EVERY_MS, tell }, this.#deps, signal)]);
    } finally {
      stop.abort(new AppError('canceled', 'the wait is over'));
      stop.unlink();
    }
  }

  /** The log of a run, after those of earlier ones that were missed. */
  async #readLogs(run: number, missed: number): Promise<void> {
    const { kube, log } = this.#deps;
    const runs = `${this.#what} still runs`;
    this.#of.tell(runs);
    const stop = childAbort(this.#of.signal);
    const { signal } = stop;
    const target = { ...this.#name, container: this.#of.container };
    const tell = (found: PodDiagnosis | undefined): void => {
      this.#of.tell(found?.cause ?? runs, found);
    };
    // Both end with the signal, and whatever else they throw is seen by the next wait for news.
    lookAt(this.#name, { everyMs: QUIET_LOOK_MS, tell }, this.#deps, signal).catch(() => undefined);
    const drained = this.#drained(run, stop);
    try {
      if (missed > 1) log.warn('log of earlier runs is lost', { pod: this.#what, runs: missed - 1 });
      const { maxLineBytes } = this.#of;
      const options = { signal, ...(maxLineBytes === undefined ? {} : { maxLineBytes }) };
      if (missed > 0) await this.#pass(kube.logs(target, { previous: true, ...options }));
      await this.#pass(kube.logs(target, { follow: true, isPatient: true, ...options }));
    } catch (error) {
      this.#of.signal.throwIfAborted();
      // The pod itself says in a moment why there is no more of it.
      if (!drained.isBroken && !isAppError(error, 'notFound', 'gone')) throw error;
      log.warn('log ends early', { pod: this.#what, err: messageOf(error) });
    } finally {
      stop.abort(new AppError('canceled', 'the log was read'));
      stop.unlink();
    }
  }

  /** Gives up on the rest of a log that does not come although the run is over. */
  #drained(run: number, stop: ReturnType<typeof childAbort>): { isBroken: boolean } {
    const drained = { isBroken: false };
    const late = new AppError('unreachable', `the log of ${this.#what} could not be read to its end`);
    this.#standing((now) => now.state === 'ended' || now.state === 'broken' || runOf(now) > run, stop.signal)
      .then(
        (now) => (drained.isBroken = now.state === 'broken'),
        // It was deleted.
        () => (drained.isBroken = true),
      )
      .then(() => this.#isQuiet(stop.signal))
      .then(
        () => {
          stop.abort(late);
        },
        // The log ended before.
        () => undefined,
      );
    return drained;
  }

  async #isQuiet(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    this.#lastLineAt = clock.uptime();
    for (let left = DRAIN_MS; left > 0; left = this.#lastLineAt + DRAIN_MS - clock.uptime()) {
      await clock.sleep(left, signal);
    }
  }

  async #pass(lines: AsyncIterable<LogLine>): Promise<void> {
    for await (const line of lines) {
      await this.#of.onLine?.(line);
      this.#lastLineAt = this.#deps.clock.uptime();
    }
  }

  /** The first standing that fits. Throws when the pod was deleted. */
  async #standing(fits: (standing: Standing) => boolean, signal: AbortSignal): Promise<Standing> {
    const { pod, container } = this.#of;
    let met: Standing = { state: 'waiting' };
    const whyNot = (current: JsonObject): string | undefined => {
      met = standingOf(current, container);
      return fits(met) ? undefined : 'not yet';
    };
    try {
      await this.#deps.watch.waitFor(pod, NO_LIMIT_MS, { whyNot, onWaiting: () => undefined, signal });
      return met;
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      throw new AppError('unreachable', `${this.#what} was deleted before its program had ended`);
    }
  }
}

function runOf(standing: Standing): number {
  return standing.state === 'waiting' ? -1 : (standing.run ?? -1);
}
