import {
  backoffMs,
  isAppError,
  messageOf,
  type AppError,
  type Backoff,
  type Clock,
  type Log,
} from '../../base/index.ts';
import type { ControlPlane } from './control-plane.ts';

/** A cluster by the name that everybody calls it. */
export interface NamedPlane {
  name: string;
  plane: Pick<ControlPlane, 'run' | 'ready' | 'decided'>;
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

  /**
   * Until the signal is aborted. Throws when no cluster is left, or when none has anything that could run there, with
   * what was in the way on the first.
   */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const serving = AbortSignal.any([signal, end.signal]);
    let refusal: AppError | undefined;
    void this.#refusal().then((error) => {
      refusal = error;
      if (error !== undefined) end.abort(error);
    });
    const results = await Promise.allSettled(this.#planes.map((one) => this.#serve(one, serving)));
    if (refusal !== undefined) throw refusal;
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const [first] = failures;
    if (first !== undefined && failures.length === results.length) throw first;
  }

  /**
   * Why there is nothing to start for: on no cluster can any of the chosen engines run. A cluster that cannot be reached
   * yet may have one; one that only lacks an engine is still looked at, as long as another has one.
   */
  async #refusal(): Promise<AppError | undefined> {
    const decided = await Promise.all(this.#planes.map(({ plane }) => plane.decided));
    return decided.every((each) => each !== undefined) ? decided[0] : undefined;
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

/** Only a cluster that does not answer yet is tried again. */
function mayPass(error: unknown): boolean {
  return isAppError(error, 'unreachable', 'timeout', 'serverError', 'throttled');
}
