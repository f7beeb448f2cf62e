import { AppError } from '../../base/index.ts';
import { firstAborted } from './abort.ts';
import type { Gate } from './door.ts';
import type { Leader } from './election/index.ts';
import { PartGroup } from './part-group.ts';
import type { Part, RuntimeDeps } from './ports.ts';

export interface ManagerOptions {
  /** Run on every replica, leading or not: reflectors, the event recorder. */
  sources: readonly Part[];
  /** Run only while leading, once all sources are ready: controllers, the operation pool. */
  workers: readonly Part[];
  /** Without one, this process works alone. */
  leader?: Leader;
  /** While it is shut, this process does not even try to lead. */
  gate?: Gate;
  /** From the stop signal to the end of `run`. Default 25 s, below the 30 s that a pod gets. */
  stopDeadlineMs?: number;
}

export interface StopReport {
  /** Parts that had not stopped at the deadline. They cannot be forced to, so the process must exit now. */
  hung: string[];
}

const STOP_DEADLINE_MS = 25_000;
// The lease and the sources stop after the workers and still need time.
const WORKERS_SHARE = 0.7;
const LEASE_SHARE = 0.15;
const SOURCES_SHARE = 0.15;

/** Starts the sources, then leads, then works; stops in the opposite order. */
export class Manager {
  readonly #options: ManagerOptions;
  readonly #deps: RuntimeDeps;
  readonly #deadlineMs: number;

  constructor(options: ManagerOptions, deps: RuntimeDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#deadlineMs = options.stopDeadlineMs ?? STOP_DEADLINE_MS;
  }

  /**
   * Ends when the signal is aborted; throws if a part has a bug, or if one hangs while another process may be leading.
   */
  async run(stop: AbortSignal): Promise<StopReport> {
    const sources = new PartGroup(this.#options.sources, this.#deps);
    const end = AbortSignal.any([stop, sources.failure]);
    sources.start();
    let hung: string[] = [];
    try {
      // A source that cannot become ready has crashed, which aborts `end`.
      await Promise.race([sources.ready().catch(() => firstAborted([end])), firstAborted([end])]);
      while (!end.aborted) hung = await this.#term(end);
    } finally {
      hung = [...hung, ...(await sources.stop(reasonOf(end), this.#deadlineMs * SOURCES_SHARE))];
      if (hung.length > 0) this.#deps.log.error('parts did not stop in time', { parts: hung });
    }
    if (sources.failure.aborted) throw sources.failure.reason;
    return { hung };
  }

  /** One term as leader, or the whole run without an election. */
  async #term(stop: AbortSignal): Promise<string[]> {
    const shut = await this.#options.gate?.pass(stop).catch((error: unknown) => {
      if (!stop.aborted) throw error;
      return undefined;
    });
    const end = shut === undefined ? stop : AbortSignal.any([stop, shut]);
    const leadership = await this.#options.leader?.acquire(end).catch((error: unknown) => {
      // Working without the lease would be worse than not working.
      if (!end.aborted) throw error;
      return undefined;
    });
    if (end.aborted) {
      await leadership?.release(this.#deadlineMs * LEASE_SHARE);
      return [];
    }
    const workers = new PartGroup(this.#options.workers, this.#deps);
    workers.start();
    const deposed = leadership === undefined ? [] : [leadership.signal];
    await firstAborted([end, workers.failure, ...deposed]);
    const reason: unknown = leadership?.signal.aborted === true ? leadership.signal.reason : reasonOf(end);
    const hung = await workers.stop(reason, this.#deadlineMs * WORKERS_SHARE);
    // While something still works, the lease must not be released; without renewals it expires.
    if (hung.length === 0) await leadership?.release(this.#deadlineMs * LEASE_SHARE);
    else leadership?.abandon();
    if (workers.failure.aborted) throw workers.failure.reason;
    if (hung.length > 0 && !stop.aborted) throw overstayed(hung);
    return hung;
  }
}

/** Nobody asked this process to stop, so its end must be visible as a failure. */
function overstayed(hung: readonly string[]): AppError {
  const parts = hung.join(', ');
  return new AppError('timeout', `no longer leading, and still at work after being told to stop: ${parts}`);
}

function reasonOf(signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : new AppError('canceled', 'the work is stopped');
}
