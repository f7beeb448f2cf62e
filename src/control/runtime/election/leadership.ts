import { AppError, isAppError, messageOf } from '../../../base/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../../edge/kube/port.ts';
import { heldLease, holderOf, releasedLease } from './lease.ts';
import type { RuntimeDeps } from '../ports.ts';
import type { Mark, Stopwatch } from './stopwatch.ts';

export interface LeaderDeps extends RuntimeDeps {
  kube: Kube;
}

export interface LeaseTerms {
  target: NamedTarget;
  identity: string;
  leaseDurationMs: number;
  renewDeadlineMs: number;
  retryPeriodMs: number;
}

export interface LeadershipStart {
  /** As returned by the write that made it ours. */
  lease: KubeObject;
  /** Before that write was sent. */
  sentAt: Mark;
  terms: LeaseTerms;
  stopwatch: Stopwatch;
}

/** One period of holding the lease: renews it, and aborts `signal` before anybody else could get it. */
export class Leadership {
  readonly #terms: LeaseTerms;
  readonly #deps: LeaderDeps;
  readonly #stopwatch: Stopwatch;
  readonly #end = new AbortController();
  #lease: KubeObject;
  #renewedAt: Mark;

  constructor(start: LeadershipStart, deps: LeaderDeps) {
    this.#lease = start.lease;
    this.#renewedAt = start.sentAt;
    this.#terms = start.terms;
    this.#stopwatch = start.stopwatch;
    this.#deps = deps;
  }

  /** Aborted when deposed, released or abandoned. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  start(): void {
    void this.#renewLoop();
    void this.#expiryLoop();
  }

  isHeld(): boolean {
    if (!this.#end.signal.aborted && this.#leftMs() <= 0) {
      this.#depose(`no renewal for ${this.#terms.renewDeadlineMs} ms`);
    }
    return !this.#end.signal.aborted;
  }

  /** Stops renewing, so that the lease expires. */
  abandon(): void {
    this.#end.abort(new AppError('canceled', `lease ${this.#terms.target.name} is no longer renewed`));
  }

  /** Releases the lease at once. Only after the work has stopped. */
  async release(withinMs: number): Promise<void> {
    const wasHeld = this.isHeld();
    this.abandon();
    if (!wasHeld) return;
    try {
      const deadlineMs = withinMs / 3;
      // The last renewal may have succeeded although its answer was lost: reading the lease again gives its version.
      if (!(await this.#giveAway(deadlineMs)) && (await this.#reread({ deadlineMs }))) await this.#giveAway(deadlineMs);
    } catch (error) {
      this.#deps.log.warn('lease not released, it will expire', { err: messageOf(error) });
    }
  }

  async #giveAway(deadlineMs: number): Promise<boolean> {
    const { kube, clock } = this.#deps;
    try {
      await kube.replace(this.#terms.target, releasedLease(this.#lease, clock.now()), { deadlineMs });
      return true;
    } catch (error) {
      if (isAppError(error, 'conflict')) return false;
      throw error;
    }
  }

  async #expiryLoop(): Promise<void> {
    while (this.isHeld()) await this.#sleep(this.#leftMs());
  }

  async #renewLoop(): Promise<void> {
    await this.#sleep(this.#terms.retryPeriodMs);
    while (this.isHeld()) {
      await this.#renew();
      await this.#sleep(this.#terms.retryPeriodMs);
    }
  }

  async #renew(): Promise<void> {
    const { kube, clock, log } = this.#deps;
    const { target, identity, leaseDurationMs } = this.#terms;
    const sentAt = this.#stopwatch.mark();
    const options = { signal: this.#end.signal, deadlineMs: this.#leftMs() };
    const hold = { identity, durationMs: leaseDurationMs };
    try {
      this.#lease = await kube.replace(target, heldLease(this.#lease, hold, clock.now()), options);
      this.#renewedAt = sentAt;
    } catch (error) {
      if (this.#end.signal.aborted) return;
      if (isAppError(error, 'notFound')) this.#depose('the lease was deleted');
      else if (isAppError(error, 'conflict')) await this.#lookAgain();
      else log.warn('lease not renewed', { err: messageOf(error), leftMs: this.#leftMs() });
    }
  }

  async #lookAgain(): Promise<void> {
    try {
      const isOurs = await this.#reread({ signal: this.#end.signal, deadlineMs: this.#leftMs() });
      if (!isOurs) this.#depose(`it is held by ${holderOf(this.#lease) || 'nobody'}`);
    } catch (error) {
      // The next renewal tries again, and the expiry loop ends the leadership in time.
      this.#deps.log.warn('lease not read', { err: messageOf(error), leftMs: this.#leftMs() });
    }
  }

  /** True if we still hold the lease, only in a newer version than we knew. */
  async #reread(options: { signal?: AbortSignal; deadlineMs: number }): Promise<boolean> {
    this.#lease = await this.#deps.kube.get(this.#terms.target, options);
    return holderOf(this.#lease) === this.#terms.identity;
  }

  #leftMs(): number {
    return this.#terms.renewDeadlineMs - this.#stopwatch.longestSince(this.#renewedAt);
  }

  #depose(why: string): void {
    if (this.#end.signal.aborted) return;
    this.#deps.log.warn('deposed', { why });
    this.#end.abort(new AppError('canceled', `no longer leading by lease ${this.#terms.target.name}: ${why}`));
  }

  async #sleep(ms: number): Promise<void> {
    // At least 1 ms, or the remainder of a fraction would be slept for endlessly. Rejects only when this leadership has
    // ended, which every loop checks next.
    await this.#deps.clock.sleep(Math.max(1, ms), this.#end.signal).catch(() => undefined);
  }
}
