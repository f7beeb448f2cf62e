import { AppError, messageOf, type Backoff, type JsonObject } from '../../../base/index.ts';
import { publishDecision, PUBLISH_INTERVAL_MS, type LastWrite, type Report } from '../../../core/progress/index.ts';
import type { Kube } from '../../../edge/kube/port.ts';
import { childAbort, type ChildAbort } from '../abort.ts';
import type { RuntimeDeps } from '../ports.ts';
import { retryDelayMs } from '../retry-delay.ts';
import { Commits, type Commitment } from './commits.ts';
import { StatusWriter, type StatusWriterOptions, type WriteResult } from './status-writer.ts';

export interface PublisherOptions extends Omit<StatusWriterOptions, 'deadlineMs'> {
  /**
   * Every status field this operation owns, complete: fields that were written before and are missing now are removed.
   */
  statusOf: (report: Report) => JsonObject;
  /** Ends all writing. It belongs to the leadership, not to the operation: a canceled operation must still say so. */
  signal: AbortSignal;
  /** For one write. Default 10 s. */
  writeDeadlineMs?: number;
}
export interface PublisherDeps extends RuntimeDeps {
  kube: Kube;
}
/** `abandoned`: the signal ended it, and the next leader decides how the operation ended. */
export type FinishResult = WriteResult | 'abandoned';

const BACKOFF: Backoff = { baseMs: PUBLISH_INTERVAL_MS * 2, maxMs: 30_000 };
/** Work waits for a commit, so it is retried sooner. */
const COMMIT_BACKOFF: Backoff = { baseMs: 250, maxMs: 5_000 };
const WRITE_DEADLINE_MS = 10_000;

/**
 * Writes one operation's reports into its status (laws 4 and 5): the newest wins, one write at a time, and the work
 * never waits and never sees an error. Only `commit` and `finish` are awaited.
 */
export class StatusPublisher {
  readonly #options: PublisherOptions;
  readonly #deps: PublisherDeps;
  readonly #writer: StatusWriter;
  readonly #commits = new Commits();
  #newest: Report | undefined;
  #lastWrite: LastWrite | undefined;
  #pump: Promise<void> | undefined;
  #isPumping = false;
  #pause: ChildAbort | undefined;
  #finish: Promise<FinishResult> | undefined;
  #isSuperseded = false;
  #isBackingOff = false;

  constructor(options: PublisherOptions, deps: PublisherDeps) {
    const { kind, name, namespace } = { kind: options.target.type.kind, ...options.target };
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.child({ kind, namespace, name }) };
    const { writeDeadlineMs: deadlineMs = WRITE_DEADLINE_MS } = options;
    this.#writer = new StatusWriter({ ...options, deadlineMs }, deps);
  }

  publish(report: Report): void {
    if (this.#finish !== undefined || !this.#canWrite()) return;
    this.#newest = report;
    // A change of state does not wait for the end of the second. Everything else does, at no cost per report, and only
    // a commit or the end of the operation shortens the pause after a failure.
    if (report.state !== this.#lastWrite?.report.state && !this.#isBackingOff) this.#wake();
    if (!this.#isPumping) this.#pump = this.#pumpReports();
  }

  /**
   * Record before act: resolves when a status with these fields is stored, and every later write keeps them. Rejects if
   * that will not happen: the signal was aborted, the object now belongs to somebody else, or this process may not
   * write.
   */
  async commit(report: Report, commitment: Commitment, signal: AbortSignal): Promise<void> {
    const stored = this.#commits.add(commitment, signal);
    if (this.#finish !== undefined || !this.#canWrite()) this.#commits.refuse(this.#whyNot());
    this.publish(report);
    this.#wake();
    await stored;
  }

  /** Writes the last report and the ending fields in one write, until it succeeds. Further reports are ignored. */
  finish(report: Report, ending: JsonObject = {}, finalizer?: Commitment['finalizer']): Promise<FinishResult> {
    this.#finish ??= this.#writeLast(report, ending, finalizer);
    return this.#finish;
  }

  async #pumpReports(): Promise<void> {
    this.#isPumping = true;
    let failures = 0;
    while (this.#newest !== undefined && this.#finish === undefined && this.#canWrite()) {
      const { clock } = this.#deps;
      const decision = publishDecision(this.#lastWrite, this.#newest, clock.now());
      if (this.#commits.isWaiting || decision.kind === 'now') failures = await this.#writeProgress(failures);
      else if (decision.kind === 'nothing') this.#newest = undefined;
      // Never longer than a second: a report that arrives during the pause may be due earlier.
      else await this.#sleep(Math.min(decision.time - clock.now(), PUBLISH_INTERVAL_MS));
    }
    if (!this.#canWrite()) this.#commits.refuse(this.#whyNot());
    // In the same turn as the last check: a report that arrives a turn later starts the pump again.
    this.#isPumping = false;
  }

  async #writeProgress(failures: number): Promise<number> {
    const report = this.#newest as Report;
    this.#newest = undefined;
    const promised = this.#commits.take();
    try {
      await this.#write(this.#options.statusOf(report));
      this.#lastWrite = { at: this.#writer.sentAt, report };
      if (this.#isSuperseded) promised.putBack();
      else promised.keep();
      return 0;
    } catch (error) {
      promised.putBack();
      // The last write is waiting for this one; it must not wait for a pause as well.
      if (!this.#canWrite() || this.#finish !== undefined) return failures;
      this.#newest ??= report;
      const backoff = this.#commits.isWaiting ? COMMIT_BACKOFF : BACKOFF;
      const retryInMs = retryDelayMs(error, failures, backoff, this.#deps.random());
      this.#deps.log.warn('progress not written', { err: messageOf(error), failures: failures + 1, retryInMs });
      this.#isBackingOff = true;
      await this.#sleep(retryInMs);
      this.#isBackingOff = false;
      return failures + 1;
    }
  }

  async #writeLast(report: Report, ending: JsonObject, finalizer: Commitment['finalizer']): Promise<FinishResult> {
    // Lets the caller's stack finish, so that `#finish` is set when the pump checks it.
    await Promise.resolve();
    this.#wake();
    await this.#pump;
    this.#commits.refuse(this.#whyNot());
    for (let failures = 0; this.#canWrite(); failures += 1) {
      try {
        return await this.#write(this.#options.statusOf(report), ending, finalizer);
      } catch (error) {
        if (!this.#canWrite()) break;
        const retryInMs = retryDelayMs(error, failures, BACKOFF, this.#deps.random());
        this.#deps.log.error('last status not written', { err: messageOf(error), failures: failures + 1, retryInMs });
        await this.#sleep(retryInMs);
      }
    }
    return this.#isSuperseded ? 'superseded' : 'abandoned';
  }

  async #write(status: JsonObject, ending: JsonObject = {}, last?: Commitment['finalizer']): Promise<WriteResult> {
    const { status: committed, finalizer } = this.#commits.all;
    const desired = { status: { ...status, ...committed, ...ending }, finalizer: last ?? finalizer };
    const result = await this.#writer.write(desired, this.#options.signal);
    if (result === 'superseded') {
      this.#isSuperseded = true;
      this.#deps.log.info('status belongs to somebody else now');
    }
    return result;
  }

  #whyNot(): AppError {
    const { name } = this.#options.target;
    const why = this.#isSuperseded
      ? 'it is gone, ended or another one'
      : this.#finish === undefined
        ? 'this process no longer leads'
        : 'it has ended';
    return new AppError('canceled', `record in the status of ${name}: ${why}`);
  }

  #wake(): void {
    this.#pause?.abort(new AppError('canceled', 'there is something to write'));
  }

  #canWrite(): boolean {
    if (this.#isSuperseded || this.#options.signal.aborted) return false;
    return this.#options.mayWrite?.() ?? true;
  }

  async #sleep(ms: number): Promise<void> {
    const pause = childAbort(this.#options.signal);
    this.#pause = pause;
    // Every rejection means "check again", which every caller does.
    await this.#deps.clock.sleep(ms, pause.signal).catch(() => undefined);
    pause.unlink();
    this.#pause = undefined;
  }
}
