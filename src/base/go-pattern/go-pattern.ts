import { machineFor } from './machine.ts';
import { parsePattern } from './parse.ts';
import { programOf } from './program.ts';
import { searcherFor, type PatternMatch } from './searcher.ts';

export interface GoPattern {
  /** The number of instructions. A match takes at most twice as many steps per character of the text. */
  readonly size: number;
  /** The names of the groups from the first on; empty for those without. */
  readonly groups: readonly string[];
  /** Whether any part of the text matches. Throws `tooLarge` for an expensive expression with a long text. */
  test(text: string): boolean;
  /**
   * The leftmost match at or after a position, with its groups, as Go prefers it. `spend` hears how many steps it takes,
   * again and again, and ends the search by throwing.
   */
  find(text: string, from: number, spend: (steps: number) => void): PatternMatch | undefined;
}

/**
 * Compiles an expression as Go's regexp.Compile does. Throws `invalid` with Go's message for what Go refuses, and also
 * for anything above 5000 instructions, which Go accepts.
 */
export function compileGoPattern(source: string): GoPattern {
  const { node, groups } = parsePattern(source);
  const program = programOf(node);
  const { length } = program.instructions;
  let search: ReturnType<typeof searcherFor> | undefined;
  return {
    size: length,
    groups,
    test: machineFor(program),
    // Few expressions are ever searched for.
    find: (text, from, spend) => {
      search ??= searcherFor(programOf(node, { captures: true }), groups.length);
      return search(text, from, spend);
    },
  };
}
