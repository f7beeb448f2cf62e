import { messageOf } from '../../base/index.ts';
import { settlesWithin } from './abort.ts';
import type { Part, RuntimeDeps } from './ports.ts';

export interface PoolOptions {
  name: string;
  /** Operations that run in parallel. */
  capacity: number;
  /** How many operations may wait; beyond that `start` answers `full` and the caller retries later. Default 1000. */
  waitingLimit?: number;
  /** Called when an operation has ended, usually to reconcile its object. */
  onSettled?: (uid: string) => void;
}

/** Writes its own end into status; an error it throws is a bug and only logged. */
export type OperationWork = (signal: AbortSignal) => Promise<void>;
export type StartResult = 'running' | 'waiting' | 'known' | 'full' | 'closed';

interface Operation {
  uid: string;
  work: OperationWork;
  abort: AbortController;
  /** False for short work, such as ending an operation that was canceled while it waited. */
  takesRoom: boolean;
}

/** Long work, outside reconcile's deadline. A uid that runs or waits is never started a second time. */
export class OperationPool implements Part {
  readonly name: string;
  readonly #options: PoolOptions;
  readonly #deps: RuntimeDeps;
  readonly #running = new Map<string, Operation>();
  /** In order of arrival. */
  readonly #waiting = new Map<string, Operation>();
  #isOpen = true;
  #emptied = Promise.withResolvers<undefined>();

  constructor(options: PoolOptions, deps: RuntimeDeps) {
    this.name = options.name;
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.child({ pool: options.name }) };
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  has(uid: string): boolean {
    return this.#running.has(uid) || this.#waiting.has(uid);
  }

  busy(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Work that takes no room starts at once. */
  start(uid: string, work: OperationWork, { takesRoom = true } = {}): StartResult {
    if (!this.#isOpen) return 'closed';
    if (this.has(uid)) return 'known';
    const operation = { uid, work, abort: new AbortController(), takesRoom };
    if (this.hasRoom || !takesRoom) {
      this.#launch(operation);
      return 'running';
    }
    if (this.#waiting.size >= (this.#options.waitingLimit ?? 1000)) return 'full';
    this.#waiting.set(uid, operation);
    return 'waiting';
  }

  /**
   * A running operation is told through its signal and ends by itself. A waiting one does too: it is started at once,
   * because nobody else writes its end. False if the uid is unknown.
   */
  cancel(uid: string, reason: unknown): boolean {
    const waiting = this.#waiting.get(uid);
    const operation = waiting ?? this.#running.get(uid);
    operation?.abort.abort(reason);
    if (waiting !== undefined) {
      this.#waiting.delete(uid);
      this.#launch({ ...waiting, takesRoom: false });
    }
    return operation !== undefined;
  }

  /**
   * Accepts no more work, forgets what waits, and tells running work to stop. Resolves with what had not stopped in
   * time.
   */
  async drain(reason: unknown, withinMs: number): Promise<string[]> {
    this.#close(reason);
    await settlesWithin(this.#emptied.promise, withinMs, this.#deps.clock);
    return [...this.#running.keys()];
  }

  /** Open until the signal is aborted, then ends with its last operation; may be run again. */
  async run(signal: AbortSignal): Promise<void> {
    this.#isOpen = true;
    this.#emptied = Promise.withResolvers<undefined>();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (signal.aborted) resolve(undefined);
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve(undefined);
        },
        { once: true },
      );
    await promise;
    this.#close(signal.reason);
    await this.#emptied.promise;
  }

  #close(reason: unknown): void {
    this.#isOpen = false;
    // Their objects still exist, and the next start finds them.
    this.#waiting.clear();
    for (const operation of this.#running.values()) operation.abort.abort(reason);
    if (this.#running.size === 0) this.#emptied.resolve(undefined);
  }

  get hasRoom(): boolean {
    const taken = [...this.#running.values()].filter(({ takesRoom }) => takesRoom);
    return taken.length < this.#options.capacity;
  }

  #launch(operation: Operation): void {
    this.#running.set(operation.uid, operation);
    void this.#perform(operation);
  }

  async #perform({ uid, work, abort }: Operation): Promise<void> {
    try {
      await work(abort.signal);
    } catch (error) {
      const fields = { uid, err: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
      // Stopped work throws the reason it was stopped for; anything else is a bug, even then.
      const isStopped = abort.signal.aborted && error === abort.signal.reason;
      if (!isStopped) this.#deps.log.error('operation crashed', fields);
    }
    this.#running.delete(uid);
    for (const next of this.#waiting.values()) {
      if (!this.hasRoom) break;
      this.#waiting.delete(next.uid);
      this.#launch(next);
    }
    if (!this.#isOpen && this.#running.size === 0) this.#emptied.resolve(undefined);
    this.#settled(uid);
  }

  #settled(uid: string): void {
    try {
      this.#options.onSettled?.(uid);
    } catch (error) {
      this.#deps.log.error('listener of the pool failed', { uid, err: messageOf(error) });
    }
  }
}
