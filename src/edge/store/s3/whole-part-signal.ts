/** A server that has received a whole part answers within seconds, or is busy for much longer. */
const ANSWER_MS = 10_000;

/**
 * Aborts the request of a part when the upload is stopped, unless the server may already have the whole part: it would
 * go on to store it, and that brings an aborted upload back. So its answer is awaited.
 */
export class WholePartSignal implements Disposable {
  readonly #stop: AbortSignal;
  readonly #mayBeWhole: () => boolean;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(stop: AbortSignal, mayBeWhole: () => boolean) {
    this.#stop = stop;
    this.#mayBeWhole = mayBeWhole;
    if (stop.aborted) this.#controller.abort(stop.reason);
    else stop.addEventListener('abort', this.#stopped, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#stop.removeEventListener('abort', this.#stopped);
    clearTimeout(this.#timer);
  }

  readonly #stopped = (): void => {
    const end = (): void => {
      this.#controller.abort(this.#stop.reason);
    };
    if (this.#mayBeWhole()) this.#timer = setTimeout(end, ANSWER_MS);
    else end();
  };
}
