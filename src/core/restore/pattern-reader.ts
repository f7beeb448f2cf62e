import { AppError, compileGoPattern, isAppError, type GoPattern } from '../../base/index.ts';

/** Limit for the instructions of all rules' patterns together, which take some 20 MB. */
const MAX_INSTRUCTIONS = 100_000;

/** Compiles users' patterns, each once, however many rules use it. */
export class PatternReader {
  readonly #known = new Map<string, GoPattern>();
  #instructions = 0;

  /** Returns a test for texts. Problems with the pattern are added to `problems`, under the field's name. */
  read(field: string, source: string, problems: string[]): (text: string) => boolean {
    // Go would give the same result, but most rules have none.
    if (source === '') return () => true;
    try {
      const pattern = this.#compile(source);
      return (text) => pattern.test(text);
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error;
      problems.push(`${field}: ${error.message}`);
      return () => false;
    }
  }

  #compile(source: string): GoPattern {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const pattern = compileGoPattern(source);
    this.#instructions += pattern.size;
    if (this.#instructions > MAX_INSTRUCTIONS) {
      throw new AppError('invalid', 'the patterns of all rules together are too large');
    }
    this.#known.set(source, pattern);
    return pattern;
  }
}
