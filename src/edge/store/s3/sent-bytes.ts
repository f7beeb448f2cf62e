/** The number of bytes of an upload that were sent, across parallel parts that may be repeated. */
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

  /** A repeated part starts at zero, but the reported number never falls. */
  set(part: number, bytes: number): void {
    this.#total += bytes - (this.#parts.get(part) ?? 0);
    this.#parts.set(part, bytes);
    if (this.#total <= this.#reported) return;
    this.#reported = this.#total;
    this.#tell?.(this.#total);
  }
}
