import { machineFor } from './machine.ts';
import { parsePattern } from './parse.ts';
import { programOf } from './program.ts';

export interface GoPattern {
  /** How many instructions it has. A match takes at most twice as many steps for each character of the text. */
  readonly size: number;
  /** Whether a part of the text matches. Throws `tooLarge` for a costly expression and a text that is long. */
  test(text: string): boolean;
}

/**
 * Reads an expression as Go's regexp.Compile does. Throws `invalid` with Go's words for what Go refuses, and for what
 * would have more than 5000 instructions, which Go takes.
 */
export function compileGoPattern(source: string): GoPattern {
  const program = programOf(parsePattern(source));
  return { size: program.instructions.length, test: machineFor(program) };
}
