import { AppError, isAppError, messageOf } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/port.ts';
import { LEASE } from '../../../api/meta/builtin-types.ts';
import { durationMsOf, heldLease, holderOf, newLease, signOfLife } from './lease.ts';
import { Leadership, type LeaderDeps, type LeaseTerms } from './leadership.ts';
import { Stopwatch, type Mark } from './stopwatch.ts';

export interface LeaderOptions {
  namespace: string;
  name: string;
  /** Must be unique to each process, or two of them believe that they hold the same lease. */
  identity: string;
  /** How long the others wait after the last sign of life. Default 15 s. */
  leaseDurationMs?: number;
  /** Without a renewal for this long, the work is stopped. Default 10 s. */
  renewDeadlineMs?: number;
  /** Between two renewals or two attempts. Default 2 s. */
  retryPeriodMs?: number;
}
interface Sighting {
  sign: string;
  holder: string;
  durationMs: number;
  at: Mark;
}

/**
 * Elects one working process with a Lease. Times that others wrote are never compared with our clock: a lease has
 * expired when we ourselves have seen no sign of life for its duration. The holder counts from before it sent its
 * renewal, the others from after they read it, so the holder stops first however long messages take. Not protected: a
 * Lease deleted by hand, until its holder notices at the next renewal.
 */
export class Leader {
  readonly #terms: LeaseTerms;
  readonly #deps: LeaderDeps;
  readonly #stopwatch: Stopwatch;
  #sighting: Sighting | undefined;
  #current: Leadership | undefined;
  /** Since when we have wanted the lease without getting it or seeing another one hold it. */
  #vacant: { since: Mark; reason?: string } | undefined;

  constructor(options: LeaderOptions, deps: LeaderDeps) {
    this.#terms = termsOf(options);
    this.#deps = { ...deps, log: deps.log.child({ lease: options.name, identity: options.identity }) };
    this.#stopwatch = new Stopwatch(deps.clock);
  }

  /**
   * True only while we certainly hold the lease. Check it right before anything that two processes must not do: a
   * suspended process resumes in the middle of a function, before any timer can abort a signal.
   */
  isLeading(): boolean {
    return this.#current?.isHeld() ?? false;
  }

  /** For how long nobody has led, and what keeps us from it; undefined while somebody does, or may still. */
  vacancy(): { forMs: number; reason?: string } | undefined {
    if (this.#vacant === undefined || this.isLeading()) return undefined;
    const { since, ...why } = this.#vacant;
    const forMs = this.#stopwatch.certainSince(since);
    return forMs < this.#terms.leaseDurationMs ? undefined : { forMs, ...why };
  }

  /** Waits for the lease; rejects only with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<Leadership> {
    const { clock, random, log } = this.#deps;
    for (;;) {
      const leadership = await this.#attempt(signal);
      if (leadership !== undefined) {
        log.info('leading');
        this.#current = leadership;
        return leadership;
      }
      signal.throwIfAborted();
      await clock.sleep(this.#terms.retryPeriodMs * (1 + 0.2 * random()), signal);
    }
  }

  async #attempt(signal: AbortSignal): Promise<Leadership | undefined> {
    try {
      const lease = await this.#read(signal);
      if (lease !== undefined) this.#look(lease);
      if (this.#isTaken()) {
        this.#vacant = undefined;
        return undefined;
      }
      const leadership = await this.#take(lease, signal);
      this.#vacant = undefined;
      return leadership;
    } catch (error) {
      if (signal.aborted) return undefined;
      // Somebody else was faster; the next read shows who.
      if (isAppError(error, 'conflict', 'alreadyExists')) return undefined;
      const reason = messageOf(error);
      // While the cluster does not answer, nobody knows who leads.
      const isAway = isAppError(error) && error.facts.family === 'transient';
      this.#vacant = isAway ? undefined : { since: this.#vacant?.since ?? this.#stopwatch.mark(), reason };
      this.#deps.log.warn('lease cannot be taken', { err: reason });
      return undefined;
    }
  }

  async #read(signal: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return await this.#deps.kube.get(this.#terms.target, { signal, deadlineMs: this.#terms.renewDeadlineMs });
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      throw error;
    }
  }

  #look(lease: KubeObject): void {
    const sign = signOfLife(lease);
    if (this.#sighting?.sign === sign) return;
    this.#sighting = {
      sign,
      holder: holderOf(lease),
      durationMs: durationMsOf(lease) ?? this.#terms.leaseDurationMs,
      at: this.#stopwatch.mark(),
    };
  }

  /** Also true for a lease that has since vanished: its holder may not know yet. */
  #isTaken(): boolean {
    const seen = this.#sighting;
    if (seen === undefined || seen.holder === '' || seen.holder === this.#terms.identity) return false;
    return this.#stopwatch.certainSince(seen.at) < seen.durationMs;
  }

  async #take(lease: KubeObject | undefined, signal: AbortSignal): Promise<Leadership> {
    const { kube, clock } = this.#deps;
    const { target, identity, leaseDurationMs, renewDeadlineMs } = this.#terms;
    const hold = { identity, durationMs: leaseDurationMs };
    const options = { signal, deadlineMs: renewDeadlineMs };
    const sentAt = this.#stopwatch.mark();
    const taken =
      lease === undefined
        ? await kube.create(target, newLease(target.namespace ?? '', target.name, hold, clock.now()), options)
        : await kube.replace(target, heldLease(lease, hold, clock.now()), options);
    const leadership = new Leadership(
      { lease: taken, sentAt, terms: this.#terms, stopwatch: this.#stopwatch },
      this.#deps,
    );
    leadership.start();
    return leadership;
  }
}

function termsOf(options: LeaderOptions): LeaseTerms {
  const { namespace, name, identity } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  if (identity === '') throw new AppError('invalidConfig', `lease ${namespace}/${name} needs an identity, got none`);
  if (!(retryPeriodMs > 0 && retryPeriodMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs)) {
    throw new AppError(
      'invalidConfig',
      `lease ${namespace}/${name}: expected 0 < retry period < renew deadline < lease duration, ` +
        `got ${retryPeriodMs}, ${renewDeadlineMs}, ${leaseDurationMs} ms`,
    );
  }
  const target = { type: LEASE, namespace, name };
  return { target, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
