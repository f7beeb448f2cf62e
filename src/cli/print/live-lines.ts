import type { Output } from '../ports.ts';
import { paint } from './paint.ts';

const PLAIN_EVERY_MS = 5000;

/**
 * A few lines at the bottom of the terminal that are redrawn in place. Where there is no terminal, they are printed when
 * the headline changes and at least every five seconds, so that a CI log tells the same story.
 */
export class LiveLines {
  readonly #output: Output;
  readonly #now: () => number;
  readonly #plainEveryMs: number;
  #drawn = 0;
  #lastPlain = -Infinity;
  #lastHead = '';

  constructor(output: Output, now: () => number, plainEveryMs: number = PLAIN_EVERY_MS) {
    this.#output = output;
    this.#now = now;
    this.#plainEveryMs = plainEveryMs;
  }

  draw(lines: readonly string[], headline: string = lines[0] ?? ''): void {
    if (!this.#output.isTerminal) {
      this.#drawPlain(lines, headline);
      return;
    }
    const cut = this.#fit(lines).map((line) =>
      paint(
        Array.from(line)
          .slice(0, this.#output.columns - 1)
          .join(''),
        this.#output,
      ),
    );
    this.#output.out(`${this.#up()}${cut.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`);
    this.#drawn = cut.length;
  }

  /** Replaces the live lines by ones that stay. */
  settle(lines: readonly string[]): void {
    this.#output.out(
      `${this.#up()}${lines.map((line) => `${paint(line, this.#output)}${this.#output.isTerminal ? '\u001b[K' : ''}\n`).join('')}`,
    );
    if (this.#output.isTerminal) this.#output.out('\u001b[J');
    this.#drawn = 0;
    this.#lastHead = '';
    this.#lastPlain = -Infinity;
  }

  /** What does not fit on the screen scrolls away and cannot be drawn over; the most important lines come first. */
  #fit(lines: readonly string[]): readonly string[] {
    const { rows = 0 } = this.#output;
    // A terminal that was never told its size says 0.
    const room = (rows > 0 ? rows : Infinity) - 1;
    if (lines.length <= room) return lines;
    const shown = Math.max(1, room - 1);
    return [...lines.slice(0, shown), `… and ${String(lines.length - shown)} more lines`];
  }

  #drawPlain(lines: readonly string[], headline: string): void {
    const now = this.#now();
    if (headline === this.#lastHead && now - this.#lastPlain < this.#plainEveryMs) return;
    this.#lastHead = headline;
    this.#lastPlain = now;
    this.#output.out(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  }

  #up(): string {
    return this.#drawn === 0 ? '' : `\u001b[${String(this.#drawn)}A\r`;
  }
}
