const NEWLINE = 10;
const MAX_LINE_BYTES = 4096;

/** Cuts what a command prints into lines for the log. A line that never ends is told in pieces. */
export class Lines {
  readonly #tell: (line: string) => void;
  readonly #rest = Buffer.alloc(MAX_LINE_BYTES);
  #length = 0;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const found = bytes.indexOf(NEWLINE, at);
      const end = found < 0 ? bytes.length : found;
      const piece = bytes.subarray(at, Math.min(end, at + MAX_LINE_BYTES - this.#length));
      this.#rest.set(piece, this.#length);
      this.#length += piece.length;
      at += piece.length;
      const isFull = this.#length === MAX_LINE_BYTES;
      if (at === found) {
        this.#endLine();
        at += 1;
      } else if (isFull) this.#endLine();
    }
  }

  end(): void {
    if (this.#length > 0) this.#endLine();
  }

  #endLine(): void {
    this.#tell(this.#rest.toString('utf8', 0, this.#length));
    this.#length = 0;
  }
}
