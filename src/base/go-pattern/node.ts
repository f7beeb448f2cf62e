import { patternError } from './pattern-error.ts';
import type { RuneSet } from './rune-set.ts';

/** Positions in the text where `^`, `$` or `\b` holds. */
export const PLACES = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 } as const;
export type Place = keyof typeof PLACES;

type Kind =
  | { kind: 'empty' }
  | { kind: 'rune'; set: RuneSet }
  | { kind: 'place'; place: Place }
  | { kind: 'concat' | 'either'; parts: readonly Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number; isLazy: boolean }
  | { kind: 'group'; part: Node; number: number };

/** A parsed expression and its cost. */
export type Node = Kind & {
  /** Number of instructions in its program. */
  size: number;
  /** Levels of nesting. */
  height: number;
  /** How often nested counted repetitions repeat the innermost part. */
  copies: number;
};

/** Go allows 3.3 million. With this limit the longest object name, 253 characters, costs at most 2.6 million steps. */
const MAX_SIZE = 5000;
// Go's own limits.
const MAX_HEIGHT = 1000;
const MAX_COPIES = 1000;

const leaf = (kind: Kind): Node => ({ ...kind, size: 1, height: 1, copies: 1 });
export const EMPTY = leaf({ kind: 'empty' });
export const runeNode = (set: RuneSet): Node => leaf({ kind: 'rune', set });
export const placeNode = (place: Place): Node => leaf({ kind: 'place', place });

export function listNode(kind: 'concat' | 'either', parts: readonly Node[]): Node {
  const [only = EMPTY] = parts;
  if (parts.length <= 1) return only;
  let size = kind === 'either' ? parts.length - 1 : 0;
  let height = 0;
  let copies = 1;
  for (const part of parts) {
    size += part.size;
    // A list inside a list of the same kind does not add a level.
    height = Math.max(height, part.height + (part.kind === kind ? 0 : 1));
    copies = Math.max(copies, part.copies);
  }
  return checked({ kind, parts, size, height, copies });
}

export interface Repetition {
  min: number;
  /** Infinity when unbounded. */
  max: number;
  /** Whether fewer repetitions are tried first. */
  isLazy: boolean;
}

export function repeatNode(part: Node, { min, max, isLazy }: Repetition): Node {
  const times = max === Infinity ? Math.max(min, 1) : max;
  const splits = max === Infinity ? 1 : max - min;
  const size = Math.max(1, times * part.size + splits);
  const copies = times === 0 ? 1 : times * part.copies;
  return checked({ kind: 'repeat', part, min, max, isLazy, size, height: part.height + 1, copies });
}

export function groupNode(part: Node, number: number): Node {
  return checked({ kind: 'group', part, number, size: part.size, height: part.height + 1, copies: part.copies });
}

function checked(node: Node): Node {
  if (node.copies > MAX_COPIES) throw patternError('invalid repeat count');
  if (node.height > MAX_HEIGHT) throw patternError('expression nests too deeply');
  if (node.size > MAX_SIZE) throw patternError('expression too large');
  return node;
}
