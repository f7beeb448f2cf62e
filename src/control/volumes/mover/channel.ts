/**
 * Values from one producer to one consumer, one at a time: a slow consumer slows the producer down. After its end
 * nothing waits any more.
 */
export class Channel<T> implements AsyncIterable<T> {
  #next: { value: T; taken: () => void } | undefined;
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** Resolves when the consumer asks for the value after it. */
  async push(value: T): Promise<void> {
    if (this.#isEnded) return;
    await new Promise<void>((taken) => {
      this.#next = { value, taken };
      this.#wake?.();
    });
  }

  end(): void {
    this.#isEnded = true;
    // The producer need not wait any more; a reader still gets what it has given.
    this.#next?.taken();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const next = this.#next;
        if (next !== undefined) {
          this.#next = undefined;
          try {
            yield next.value;
          } finally {
            // Also when the consumer leaves with it: the producer would wait for ever.
            next.taken();
          }
        } else if (this.#isEnded) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.#isEnded = true;
      this.#next?.taken();
    }
  }
}
