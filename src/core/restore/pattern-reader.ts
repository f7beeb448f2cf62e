import { AppError, compileGoPattern, isAppError, type GoPattern } from '../../base/index.ts';

/** The patterns of all rules together may have so many instructions, which takes some 20 MB. */
const MAX_INSTRUCTIONS = 100_000;

/** Reads patterns of users; each once, however many rules have it. */
export class PatternReader {
  readonly #known = new Map<string, GoPattern>();
  #instructions = 0;

  /** What tells whether a text matches. What is wrong with the pattern is added to the problems, under the field's name. */
  read(field: string, source: string, problems: string[]): (text: string) => boolean {
    // Go would do the same, but most rules have none.
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
