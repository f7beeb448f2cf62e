export interface Line {
  text: string;
  /** True when the line exceeded the limit: it is returned at once, and the rest of it is skipped. */
  cut: boolean;
}

const NEWLINE = 10;

/**
 * Turns chunks of bytes into lines. Holds at most one line of at most `maxBytes`. Lines are decoded as a whole, so a
 * character split between chunks survives; invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #skipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      if (!this.#skipping) this.#hold(chunk.subarray(start, end), lines);
      if (newline !== -1) {
        if (!this.#skipping) lines.push(this.#take(false));
        this.#skipping = false;
      }
      start = end + 1;
    }
    return lines;
  }

  /** The text after the last newline; undefined when there is none. */
  rest(): string | undefined {
    return this.#held === 0 ? undefined : this.#take(false).text;
  }

  #hold(bytes: Uint8Array, lines: Line[]): void {
    const room = this.#maxBytes - this.#held;
    this.#parts.push(bytes.length > room ? bytes.subarray(0, room) : bytes);
    this.#held += Math.min(bytes.length, room);
    if (bytes.length <= room) return;
    lines.push(this.#take(true));
    this.#skipping = true;
  }

  #take(cut: boolean): Line {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    if (bytes === undefined) return { text: '', cut };
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'), cut };
  }
}
