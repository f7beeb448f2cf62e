import { AppError, type Clock } from '../../src/base/index.ts';
import type { WatchEvent, WatchOptions } from '../../src/edge/kube/port.ts';

/** One open watch: what was pushed, in order, until it ends, breaks, falls silent or is aborted. */
export class WatchFeed {
  readonly #events: WatchEvent[] = [];
  readonly #options: WatchOptions;
  readonly #clock: Clock;
  #news = Promise.withResolvers<undefined>();
  #end: { error: Error | undefined } | undefined;
  /** A half-open connection: what the server sends never arrives. */
  isMute = false;

  constructor(options: WatchOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  push(event: WatchEvent): void {
    if (this.isMute) return;
    this.#events.push(event);
    this.#news.resolve(undefined);
  }

  end(error?: Error): void {
    this.#end = { error };
    this.#news.resolve(undefined);
  }

  async *read(): AsyncGenerator<WatchEvent> {
    const { signal, inactivityMs = 90_000 } = this.#options;
    const abort = (): void => {
      this.end(signal?.reason as Error);
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        yield* this.#events.splice(0);
        if (this.#end !== undefined) break;
        await this.#nextNews(inactivityMs);
      }
      if (this.#end.error !== undefined) throw this.#end.error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #nextNews(inactivityMs: number): Promise<void> {
    const timer = new AbortController();
    const silence = this.#clock.sleep(inactivityMs, timer.signal).then(
      () => {
        throw new AppError('timeout', `watch was silent for ${inactivityMs} ms`);
      },
      () => undefined,
    );
    try {
      await Promise.race([this.#news.promise, silence]);
      this.#news = Promise.withResolvers<undefined>();
    } finally {
      timer.abort();
    }
  }
}
