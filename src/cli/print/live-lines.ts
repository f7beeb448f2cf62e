import type { Printer } from './printer.ts';

const PLAIN_EVERY_MS = 5000;

/**
 * A few lines at the bottom of the terminal that are redrawn in place. Where there is no terminal, they are printed when
 * the headline changes and at least every five seconds, so that a CI log tells the same story.
 */
export class LiveLines {
  readonly #output: Printer;
  readonly #now: () => number;
  readonly #plainEveryMs: number;
  #drawn = 0;
  #lastPlain = -Infinity;
  #lastHead = '';

  constructor(output: Printer, now: () => number, plainEveryMs: number = PLAIN_EVERY_MS) {
    this.#output = output;
    this.#now = now;
    this.#plainEveryMs = plainEveryMs;
  }

  draw(lines: readonly string[], headline: string = lines[0] ?? ''): void {
    if (!this.#output.isTerminal) {
      this.#drawPlain(lines, headline);
      return;
    }
    const shown = this.#fit(lines);
    this.#output.redraw(this.#drawn, shown);
    this.#drawn = shown.length;
  }

  /** Replaces the live lines by ones that stay. */
  settle(lines: readonly string[]): void {
    if (this.#output.isTerminal) this.#output.redraw(this.#drawn, []);
    for (const line of lines) this.#output.line(line);
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
    for (const line of lines) this.#output.line(line.trimEnd());
  }
}
