/** A server that has a part whole answers within seconds, or it is busy with other things for much longer. */
const ANSWER_MS = 10_000;

/**
 * Ends the request of a part when the upload is stopped, but not when the server may have the part whole already: it
 * would go on to store it, and an upload that was aborted meanwhile comes back to life with it. Its answer is waited for.
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
