import type { FileHandle } from 'node:fs/promises';

// Items are small, and each write is a job for the thread pool, so writes are buffered.
const MEMORY_BYTES = 256 * 1024;

/** Appends to a file, and takes more while what came before is being written. */
export class WriteBehind {
  readonly #file: FileHandle;
  /** Bytes not written yet. Copied, because the original bytes would keep the much larger chunks they came in alive. */
  #memory: Buffer | undefined;
  /** Is written while the other one is filled. */
  #other: Buffer | undefined;
  #waiting = 0;
  /** Where the waiting bytes will be. */
  #offset = 0;
  #writing: Promise<{ error: unknown } | undefined> = Promise.resolve(undefined);

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Of the file, when everything is written. */
  get size(): number {
    return this.#offset + this.#waiting;
  }

  /** One call at a time; the caller may reuse the bytes afterwards. Also throws what was wrong with an earlier write. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#waiting + bytes.length > MEMORY_BYTES) await this.#next();
    if (bytes.length > MEMORY_BYTES) {
      await this.#begin(bytes);
      await this.#written();
    } else {
      this.#memory ??= Buffer.allocUnsafeSlow(MEMORY_BYTES);
      this.#memory.set(bytes, this.#waiting);
      this.#waiting += bytes.length;
    }
  }

  /** Gives its memory back, because hardly ever does anything follow. */
  async flush(): Promise<void> {
    await this.#next();
    await this.#written();
    this.#memory = undefined;
    this.#other = undefined;
  }

  /** Nothing is written after it, whatever became of what was being written. */
  async end(): Promise<void> {
    await this.#writing;
  }

  async #next(): Promise<void> {
    if (this.#memory === undefined) return;
    await this.#begin(this.#memory.subarray(0, this.#waiting));
    [this.#memory, this.#other] = [this.#other, this.#memory];
    this.#waiting = 0;
  }

  async #begin(bytes: Uint8Array): Promise<void> {
    await this.#written();
    const offset = this.#offset;
    this.#offset += bytes.length;
    // Caught, because nobody may wait for it for a while.
    this.#writing = this.#write(bytes, offset).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  }

  async #written(): Promise<void> {
    const failure = await this.#writing;
    if (failure !== undefined) throw failure.error;
  }

  async #write(bytes: Uint8Array, offset: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  }
}
