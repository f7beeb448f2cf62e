/**
 * The bytes of a tar on their way: one block is filled while the other is compressed. The memory is reused, because
 * otherwise a volume would leave several times its own size to the garbage collector.
 */
export class BlockWriter {
  readonly #capacity: number;
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  #filling: Buffer;
  #other: Buffer;
  #length = 0;
  #sending: Promise<void> = Promise.resolve();

  /** `send` may keep the bytes until it resolves. */
  constructor(capacity: number, send: (bytes: Uint8Array) => Promise<void>) {
    this.#capacity = capacity;
    this.#send = send;
    this.#filling = Buffer.allocUnsafeSlow(capacity);
    this.#other = Buffer.allocUnsafeSlow(capacity);
  }

  /** Where to write next, and how much fits. */
  get free(): { into: Buffer; at: number; room: number } {
    return { into: this.#filling, at: this.#length, room: this.#capacity - this.#length };
  }

  /** The offset after what was written. */
  wrote(end: number): void {
    this.#length = end;
  }

  hasRoom(bytes: number): boolean {
    return bytes <= this.#capacity - this.#length;
  }

  /** Sends what there is. Afterwards a whole block is free. */
  async flush(): Promise<void> {
    await this.#sending;
    if (this.#length === 0) return;
    this.#sending = this.#send(this.#filling.subarray(0, this.#length));
    // The rejection is handled where the sending is awaited.
    this.#sending.catch(() => undefined);
    [this.#filling, this.#other] = [this.#other, this.#filling];
    this.#length = 0;
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#sending;
  }
}
