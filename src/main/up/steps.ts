import { formatDuration } from '../../base/index.ts';
import { LiveLines, progressLine, progressParts, type Printer } from '../../cli/index.ts';
import { isTerminal, type Report } from '../../core/progress/index.ts';

export interface Step {
  name: string;
  /** What it is about, while it runs. */
  what: string;
  /** Where the report itself names no stage. */
  verb: string;
}

export interface Told {
  text: string;
  gap?: string | undefined;
}

// Ten times a second is what an eye can follow, and what a slow ssh line can carry.
const DRAW_MS = 100;
// A demonstration is over in seconds; a log of it is to show that it moved.
const PLAIN_EVERY_MS = 1000;

/** The steps of a demonstration: one line for each that is done, three for the one that runs. */
export class Steps {
  readonly #output: Printer;
  readonly #now: () => number;
  readonly #lines: LiveLines;

  constructor(output: Printer, now: () => number = Date.now) {
    this.#output = output;
    this.#now = now;
    this.#lines = new LiveLines(output, now, PLAIN_EVERY_MS);
  }

  /** `tell` says what became of it, for the line that stays; a `gap` is what it must not look green without. */
  async run<T>(
    step: Step,
    work: (onReport: (report: Report) => void) => Promise<T>,
    tell: (result: T) => string | Told = () => step.what,
  ): Promise<T> {
    const startedAt = this.#now();
    let drawnAt = -Infinity;
    const result = await work((report) => {
      // Its end is the line that stays.
      if (isTerminal(report.state) || this.#now() - drawnAt < DRAW_MS) return;
      drawnAt = this.#now();
      this.#draw(step, report);
    });
    const took = formatDuration((this.#now() - startedAt) / 1000);
    const told = tell(result);
    const { text, gap } = typeof told === 'string' ? { text: told } : told;
    const [sign, said] = gap === undefined ? ['✓', text] : ['▲', `${text}, ${gap}`];
    this.#lines.settle([`${sign} ${step.name.padEnd(9)} ${said.padEnd(58)} ${took}`]);
    return result;
  }

  #draw({ name, what, verb }: Step, report: Report): void {
    const stage = report.stage ?? verb;
    if (this.#output.isTerminal) {
      const now = report.current === undefined ? [] : [`  ${'now'.padEnd(10)} ${report.current}`];
      this.#lines.draw([`● ${name.padEnd(9)} ${what}`, progressLine(report, stage), ...now]);
      return;
    }
    const line = [`● ${name.padEnd(9)} ${stage.padEnd(10)}`, ...progressParts(report), report.current ?? what].join(
      '  ',
    );
    this.#lines.draw([line], `${name} ${stage}`);
  }
}
