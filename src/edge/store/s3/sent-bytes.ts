/** How many bytes of an upload were sent, over parts that run side by side and may be sent again. */
export class SentBytes {
  readonly #tell: ((bytes: number) => void) | undefined;
  readonly #parts = new Map<number, number>();
  #total = 0;
  #reported = 0;

  constructor(tell: ((bytes: number) => void) | undefined) {
    this.#tell = tell;
  }

  of(part: number): number {
    return this.#parts.get(part) ?? 0;
  }

  /** A part that is sent again begins at zero, but the number that was told never falls. */
  set(part: number, bytes: number): void {
    this.#total += bytes - (this.#parts.get(part) ?? 0);
    this.#parts.set(part, bytes);
    if (this.#total <= this.#reported) return;
    this.#reported = this.#total;
    this.#tell?.(this.#total);
  }
}
