/** Longer than any line that is understood; the rest of a longer one is skipped. */
const MAX_LINE = 64 * 1024;
const END = /[\r\n]/;

/**
 * Cuts a program's output into lines as it arrives, in pieces of any size. A carriage return ends a line as well:
 * kopia prints its progress with nothing else, so that a reader of newlines would see it only at the end.
 */
export class LineCutter {
  readonly #maxLength: number;
  #held = '';
  #isSkipping = false;

  constructor(maxLength: number = MAX_LINE) {
    this.#maxLength = maxLength;
  }

  /** The lines that end in this piece; empty ones are left out. */
  push(piece: string): string[] {
    const lines: string[] = [];
    let rest = piece;
    for (let end = rest.search(END); end >= 0; end = rest.search(END)) {
      this.#hold(rest.slice(0, end));
      const line = this.end();
      if (line !== undefined) lines.push(line);
      rest = rest.slice(end + 1);
    }
    this.#hold(rest);
    return lines;
  }

  /** What came after the last line end; undefined if nothing did. */
  end(): string | undefined {
    const line = this.#held;
    this.#held = '';
    this.#isSkipping = false;
    return line === '' ? undefined : line;
  }

  #hold(text: string): void {
    if (this.#isSkipping) return;
    const room = this.#maxLength - this.#held.length;
    this.#held += text.slice(0, room);
    this.#isSkipping = text.length > room;
  }
}
