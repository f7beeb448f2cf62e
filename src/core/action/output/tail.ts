import { fromBytes, plainText } from '../template/index.ts';

const MAX_LINES = 10;
const MAX_LINE_BYTES = 1024;
const NEWLINE = 10;
const SPACE = 32;

/**
 * The last lines of an output, which say why a command failed. Empty ones are left out, long ones cut. They are read when
 * they are asked for: most commands print much and do not fail.
 */
export class OutputTail {
  readonly #lines: Uint8Array[] = [];
  readonly #line = new Uint8Array(MAX_LINE_BYTES);
  #length = 0;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const found = chunk.indexOf(NEWLINE, at);
      const end = found < 0 ? chunk.length : found;
      const room = MAX_LINE_BYTES - this.#length;
      const piece = chunk.subarray(at, Math.min(end, at + room));
      this.#line.set(piece, this.#length);
      this.#length += piece.length;
      if (found >= 0) this.#endLine();
      at = end + 1;
    }
  }

  lines(): string[] {
    this.#endLine();
    return this.#lines.map((line) => plainText(fromBytes(line)).trimEnd());
  }

  #endLine(): void {
    const line = this.#line.slice(0, this.#length);
    this.#length = 0;
    if (line.every((byte) => byte <= SPACE)) return;
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}
