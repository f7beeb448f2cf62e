import type { HeartbeatEvent, Operation, OperationsAnswer, RemovedEvent } from '../../../src/core/operations/index.ts';
import { isAppError } from '../../../src/base/index.ts';
import type { LiveStore } from './live-store.ts';
import type { OperationsEvent } from './operations.ts';
import { SseParser, type SseEvent } from './sse-parser.ts';

export interface ConnectionPorts {
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<string>>;
  /** The next page of a snapshot that did not come whole. */
  pages: (token: string, signal: AbortSignal) => Promise<OperationsAnswer>;
  store: LiveStore;
  clock: {
    now: () => number;
    /** Returns the way to call it off. */
    after: (ms: number, run: () => void) => () => void;
  };
}

/** The server sends something at least every 1.5 s; a person is to see within 3 s that it no longer does. */
export const SILENCE_MS = 2700;
/** Opening may take longer than a heartbeat: the snapshot of a big cluster comes first. */
const OPEN_MS = 10_000;
const BACKOFF_MS = [200, 500, 1000, 2000];
/** Thousand operations that change each second are still only a few paints. */
const BATCH_MS = 150;

/** Keeps the store fed: opens the stream, notices when it breaks, and opens it again where it was. */
export class LiveConnection {
  readonly #ports: ConnectionPorts;
  #lastEventId: string | undefined;
  #batch: OperationsEvent[] = [];
  #flushing = false;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  /** Runs until the signal or until the server refuses. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#ports;
    for (let failures = 0; !signal.aborted;) {
      const begun = await this.#stream(signal).catch((error: unknown) => error);
      if (signal.aborted) return;
      if (isAppError(begun, 'unauthenticated', 'forbidden')) {
        const code = begun.code === 'forbidden' ? 'forbidden' : 'unauthenticated';
        store.setLight({ kind: 'refused', code, message: begun.message });
        return;
      }
      const { light } = store.state();
      if (light.kind !== 'reconnecting')
        store.setLight({ kind: 'reconnecting', since: clock.now() + store.state().aheadMs });
      failures = light.kind === 'live' ? 0 : failures + 1;
      await this.#pause(BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0, signal);
    }
  }

  /** Nothing may go on from what another session saw. */
  forget(): void {
    this.#lastEventId = undefined;
    this.#batch = [];
  }

  async #stream(outer: AbortSignal): Promise<void> {
    const life = new AbortController();
    const signal = AbortSignal.any([outer, life.signal]);
    const watchdog = this.#watchdog(() => {
      life.abort(new Error('the event stream is silent'));
    });
    watchdog.expect(OPEN_MS);
    try {
      const reader = (await this.#ports.open(this.#lastEventId, signal)).getReader();
      const parser = new SseParser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        watchdog.expect(SILENCE_MS);
        for (const event of parser.push(value)) this.#take(event, signal);
      }
    } finally {
      watchdog.stop();
      // Also ends a fetch whose body is still open.
      life.abort();
    }
  }

  #take(event: SseEvent, signal: AbortSignal): void {
    const { store } = this.#ports;
    if (event.id !== undefined) this.#lastEventId = event.id;
    if (store.state().light.kind !== 'live') store.setLight({ kind: 'live' });
    if (event.event === 'heartbeat')
      store.beat(JSON.parse(event.data) as Partial<HeartbeatEvent>, this.#ports.clock.now());
    else if (event.event === 'operation')
      this.#add({ type: 'operation', operation: JSON.parse(event.data) as Operation });
    else if (event.event === 'removed') this.#add({ type: 'removed', id: (JSON.parse(event.data) as RemovedEvent).id });
    else if (event.event === 'snapshot') {
      const answer = JSON.parse(event.data) as OperationsAnswer;
      this.#add({ type: 'snapshot', answer });
      this.#flush();
      if (answer.continue !== undefined) void this.#rest(answer.continue, signal);
    }
  }

  /** The pages after the first one come beside the stream, so that the first paint waits for none of them. */
  async #rest(token: string, signal: AbortSignal): Promise<void> {
    try {
      for (let next: string | undefined = token; next !== undefined && !signal.aborted;) {
        const answer: OperationsAnswer = await this.#ports.pages(next, signal);
        this.#add({ type: 'page', answer });
        next = answer.continue;
      }
    } catch (error) {
      // The stream has ended, or the token is too old: the next snapshot begins anew, and what is shown stays true.
      if (!signal.aborted && isAppError(error, 'gone')) this.#lastEventId = undefined;
    }
  }

  #add(event: OperationsEvent): void {
    this.#batch.push(event);
    if (this.#flushing) return;
    this.#flushing = true;
    this.#ports.clock.after(BATCH_MS, () => {
      this.#flush();
    });
  }

  #flush(): void {
    const events = this.#batch;
    this.#batch = [];
    this.#flushing = false;
    this.#ports.store.apply(events);
  }

  #watchdog(bite: () => void): { expect(ms: number): void; stop(): void } {
    let stop = (): void => undefined;
    const expect = (ms: number): void => {
      stop();
      stop = this.#ports.clock.after(ms, bite);
    };
    return {
      expect,
      stop: () => {
        stop();
      },
    };
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#ports.clock.after(ms, resolve);
      signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  }
}
