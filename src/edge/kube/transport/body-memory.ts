/** Answers are up to about 1 MB, a page of a list; several are in flight at once. */
const KEPT_BYTES = 1536 * 1024;
const MAX_KEPT = 2;
const FIRST_BYTES = 64 * 1024;

const kept: Buffer[] = [];

/**
 * Assembles the chunks of one answer in memory that the next answer reuses. Chunks held until the last one arrives
 * would outlive the young generation, and the garbage collector would traverse everything for them: three times in a
 * backup of 10 000 objects.
 */
export class BodyMemory implements Disposable {
  /** The first chunk, not copied: most answers have no other. */
  #only: Buffer | undefined;
  #memory: Buffer | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** In bytes, including unused ones. */
  get held(): number {
    return this.#memory?.length ?? this.#only?.length ?? 0;
  }

  /** Valid until it is disposed. */
  get bytes(): Buffer {
    return this.#only ?? this.#memory?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  add(piece: Buffer): void {
    if (this.#length === 0) {
      this.#only = piece;
      this.#length = piece.length;
      return;
    }
    const first = this.#only;
    this.#only = undefined;
    if (first !== undefined) {
      this.#length = 0;
      this.#put(first);
    }
    this.#put(piece);
  }

  [Symbol.dispose](): void {
    const memory = this.#memory;
    this.#memory = undefined;
    this.#only = undefined;
    this.#length = 0;
    if (memory === undefined) return;
    if (memory.length <= KEPT_BYTES && kept.length < MAX_KEPT) kept.push(memory);
    // Such memory would pile up if left to the garbage collector, which only sees the heap.
    else (memory.buffer as ArrayBuffer).transfer(0);
  }

  #put(piece: Buffer): void {
    const wanted = this.#length + piece.length;
    this.#memory ??= kept.pop() ?? Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * wanted));
    if (wanted > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(grown(wanted));
      this.#memory.copy(larger, 0, 0, this.#length);
      (this.#memory.buffer as ArrayBuffer).transfer(0);
      this.#memory = larger;
    }
    piece.copy(this.#memory, this.#length);
    this.#length = wanted;
  }
}

/**
 * By a fraction, because a large answer would otherwise be copied once for each of its pieces; a small one, because
 * pages of a list are kept as they are.
 */
function grown(wanted: number): number {
  return Math.ceil(1.25 * wanted);
}
