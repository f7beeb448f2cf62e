import { TemplateProblem } from '../problem.ts';
import type { Run } from '../value/value.ts';

/** What a template may use up. A template that needs a hundredth of it is rare. */
const MAX_STEPS = 400_000;
const MAX_BYTES = 1024 * 1024;
/** How many templates may be inside each other, as one that calls itself is. */
export const MAX_DEPTH = 100;
/** A look at the clock costs more than a step. */
const STEPS_PER_LOOK = 2000;

export interface BudgetOptions {
  /** Milliseconds since 1970, for the functions that ask for the time. */
  now: number;
  /** What `env` and `expandenv` see; nothing unless given. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Whether the time for this template is up. Without it, steps alone are counted. */
  isOver?: (() => boolean) | undefined;
}

/** Counts what one run of a template uses, and ends it when that is too much. */
export class Budget implements Run {
  readonly now: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly #isOver: () => boolean;
  #steps = 0;
  #nextLook = STEPS_PER_LOOK;
  #bytes = 0;

  constructor({ now, environment = {}, isOver = () => false }: BudgetOptions) {
    this.now = now;
    this.environment = environment;
    this.#isOver = isOver;
  }

  spend(units: number): void {
    this.#steps += units;
    if (!(this.#steps <= MAX_STEPS)) throw new TemplateProblem('limit', `needs more than ${String(MAX_STEPS)} steps`);
    if (this.#steps < this.#nextLook) return;
    this.#nextLook = this.#steps + STEPS_PER_LOOK;
    if (this.#isOver()) throw new TemplateProblem('limit', 'takes longer than allowed');
  }

  /** Counts output. */
  write(text: string): void {
    this.#bytes += text.length;
    if (this.#bytes > MAX_BYTES)
      throw new TemplateProblem('limit', `makes more than ${String(MAX_BYTES)} bytes of text`);
    this.spend(text.length / 16);
  }
}
