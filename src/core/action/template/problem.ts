/**
 * What went wrong in a template: it could not be read, could not be carried out, or asked for too much. The wording is
 * Go's, so that people find it. `at` is where in the text.
 */
export class TemplateProblem extends Error {
  readonly kind: 'parse' | 'run' | 'limit';
  readonly at: number | undefined;
  /** The expression that failed, as it is written. */
  readonly source: string | undefined;

  constructor(kind: TemplateProblem['kind'], message: string, at?: number, source?: string) {
    super(message);
    this.kind = kind;
    this.at = at;
    this.source = source;
  }
}

/** An error that a function returns; whoever calls it adds which function, and where. */
export class FunctionProblem extends Error {}
