import { formatDuration } from '../../base/index.ts';
import { LiveLines, progressLine, type Output } from '../../cli/index.ts';
import type { Report } from '../../core/progress/index.ts';

export interface Step {
  name: string;
  /** What it is about, while it runs. */
  what: string;
  /** Where the report itself names no stage. */
  verb: string;
}

// Ten times a second is what an eye can follow, and what a slow ssh line can carry.
const DRAW_MS = 100;

/** The steps of a demonstration: one line for each that is done, three for the one that runs. */
export class Steps {
  readonly #output: Output;
  readonly #lines: LiveLines;

  constructor(output: Output) {
    this.#output = output;
    this.#lines = new LiveLines(output, () => Date.now());
  }

  /** `tell` says what became of it, for the line that stays. */
  async run<T>(
    { name, what, verb }: Step,
    work: (onReport: (report: Report) => void) => Promise<T>,
    tell: (result: T) => string = () => what,
  ): Promise<T> {
    const startedAt = Date.now();
    let drawnAt = -Infinity;
    const result = await work((report) => {
      if (Date.now() - drawnAt < DRAW_MS) return;
      drawnAt = Date.now();
      const now = report.current === undefined ? [] : [`  ${'now'.padEnd(10)} ${report.current}`];
      this.#lines.draw([`● ${name.padEnd(9)} ${what}`, progressLine(report, report.stage ?? verb), ...now]);
    });
    this.done(name, tell(result), startedAt);
    return result;
  }

  done(name: string, what: string, startedAt: number): void {
    const took = formatDuration((Date.now() - startedAt) / 1000);
    this.#lines.settle([`✓ ${name.padEnd(9)} ${what.padEnd(54)} ${took}`]);
  }

  say(text: string): void {
    this.#output.out(`${text}\n`);
  }
}
