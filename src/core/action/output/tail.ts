import { fromBytes, plainText } from '../template/index.ts';

const MAX_LINES = 10;
const MAX_LINE_BYTES = 1024;
const NEWLINE = 10;

/** The last lines of an output, which say why a command failed. Empty ones are left out, long ones cut. */
export class OutputTail {
  readonly #lines: string[] = [];
  #line: number[] = [];

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const found = chunk.indexOf(NEWLINE, at);
      const end = found < 0 ? chunk.length : found;
      const room = MAX_LINE_BYTES - this.#line.length;
      for (const byte of chunk.subarray(at, Math.min(end, at + room))) this.#line.push(byte);
      if (found >= 0) this.#endLine();
      at = end + 1;
    }
  }

  lines(): string[] {
    this.#endLine();
    return [...this.#lines];
  }

  #endLine(): void {
    const line = plainText(fromBytes(Uint8Array.from(this.#line))).trimEnd();
    this.#line = [];
    if (line.trim() === '') return;
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}
