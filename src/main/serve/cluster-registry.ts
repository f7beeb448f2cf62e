import { backoffMs, isAppError, messageOf, type Backoff, type Clock, type Log } from '../../base/index.ts';
import type { ControlPlane } from './control-plane.ts';

/** A cluster by the name that everybody calls it. */
export interface NamedPlane {
  name: string;
  plane: Pick<ControlPlane, 'run' | 'ready'>;
}

export interface RegistryDeps {
  log: Log;
  clock: Clock;
  random: () => number;
}

const RETRY: Backoff = { baseMs: 2_000, maxMs: 60_000 };

/** The clusters of one server. What is in the way on one of them must not end the work on the others. */
export class ClusterRegistry {
  readonly #planes: readonly NamedPlane[];
  readonly #deps: RegistryDeps;
  readonly #problems = new Map<string, string>();
  readonly #failures = new Map<string, PromiseWithResolvers<undefined>>();

  constructor(planes: readonly NamedPlane[], deps: RegistryDeps) {
    this.#planes = planes;
    this.#deps = deps;
    for (const { name } of planes) this.#failures.set(name, Promise.withResolvers<undefined>());
  }

  /** Why a cluster is not served; undefined while it is. */
  problemOf(name: string): string | undefined {
    return this.#problems.get(name);
  }

  /** Every cluster is watched, or is known not to be served. */
  get ready(): Promise<void> {
    const each = this.#planes.map(({ name, plane }) => Promise.race([plane.ready, this.#failures.get(name)?.promise]));
    return Promise.all(each).then(() => undefined);
  }

  /** Until the signal is aborted. Throws when no cluster is left, with what was in the way on the first. */
  async run(signal: AbortSignal): Promise<void> {
    const results = await Promise.allSettled(this.#planes.map((one) => this.#serve(one, signal)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const [first] = failures;
    if (first !== undefined && failures.length === results.length) throw first;
  }

  async #serve({ name, plane }: NamedPlane, signal: AbortSignal): Promise<void> {
    const { log, clock, random } = this.#deps;
    const isAlone = this.#planes.length === 1;
    // Also of one that could not be reached at first.
    plane.ready.then(
      () => this.#problems.delete(name),
      () => undefined,
    );
    for (let failures = 0; ; failures += 1) {
      try {
        await plane.run(signal);
        return;
      } catch (error) {
        const err = messageOf(error);
        this.#problems.set(name, err);
        this.#failures.get(name)?.resolve(undefined);
        if (!isAlone) log.error('cluster is not served, the others are', { cluster: name, err });
        // A server with one cluster ends, and whoever started it sees why.
        if (isAlone || !mayPass(error)) throw error;
      }
      await clock.sleep(backoffMs(failures, RETRY, random()), signal);
    }
  }
}

/** Only a cluster that does not answer yet is tried again. Other CRDs or Velero beside us need a person. */
function mayPass(error: unknown): boolean {
  return isAppError(error, 'unreachable', 'timeout', 'serverError', 'throttled');
}
