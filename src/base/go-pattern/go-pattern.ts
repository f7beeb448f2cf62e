import { machineFor } from './machine.ts';
import { parsePattern } from './parse.ts';
import { programOf } from './program.ts';

export interface GoPattern {
  /** The number of instructions. A match takes at most twice as many steps per character of the text. */
  readonly size: number;
  /** Whether any part of the text matches. Throws `tooLarge` for an expensive expression with a long text. */
  test(text: string): boolean;
}

/**
 * Compiles an expression as Go's regexp.Compile does. Throws `invalid` with Go's message for what Go refuses, and also
 * for anything above 5000 instructions, which Go accepts.
 */
export function compileGoPattern(source: string): GoPattern {
  const program = programOf(parsePattern(source));
  return { size: program.instructions.length, test: machineFor(program) };
}
