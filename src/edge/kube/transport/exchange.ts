import type { Dispatcher } from 'undici';
import { BodyMemory } from './body-memory.ts';
import { tooLarge } from './body.ts';
import type { Deadline } from './deadline.ts';

export interface WholeAnswer {
  statusCode: number;
  headers: Dispatcher.ResponseData['headers'];
  /** Owned by the caller. */
  body: BodyMemory;
}

interface Limits {
  deadline: Deadline;
  /** The most that is read of an answer with such a status. */
  maxBytes: (statusCode: number) => number;
}

/**
 * Sends a request and reads its answer to the end. undici's own `request` makes a stream of every answer and listens to
 * a signal for it, which took a tenth of a restore's processor time.
 */
export function exchange(pool: Dispatcher, options: Dispatcher.DispatchOptions, limits: Limits): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(limits, resolve, reject);
    try {
      pool.dispatch(options, exchange);
    } catch (error) {
      exchange.onResponseError(undefined, error);
    }
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #body = new BodyMemory();
  #controller: Dispatcher.DispatchController | undefined;
  #statusCode = 0;
  #headers: WholeAnswer['headers'] = {};
  #isSettled = false;

  constructor(limits: Limits, resolve: (answer: WholeAnswer) => void, reject: (error: unknown) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    limits.deadline.onOver = () => {
      this.#fail(limits.deadline.signal.reason);
    };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was given up while it waited for a connection, and must not be sent any more.
    if (this.#isSettled) controller.abort(abandoned());
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: WholeAnswer['headers']): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isSettled) return;
    const maxBytes = this.#limits.maxBytes(this.#statusCode);
    if (this.#body.length + chunk.length > maxBytes) this.#fail(tooLarge(maxBytes));
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, body: this.#body });
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (!this.#settle()) return;
    this.#body[Symbol.dispose]();
    this.#reject(error);
  }

  #fail(error: unknown): void {
    this.onResponseError(undefined, error);
    this.#controller?.abort(abandoned());
  }

  /** False if it was settled before. */
  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#limits.deadline.onOver = undefined;
    return true;
  }
}

/** For undici, which closes the connection; nobody else gets it. */
function abandoned(): Error {
  return new Error('the answer is not wanted any more');
}
