import { AppError } from '../errors.ts';
import { PLACES } from './node.ts';
import type { Program } from './program.ts';

/** The rune before the start and after the end of the text. */
export const NONE = -1;
const NEWLINE = 10;
const REPLACEMENT = 0xfffd;

/** No object name needs more steps, whatever the expression; a longer text may. */
const MAX_STEPS = 2_600_000;
const MAX_STEPS_PER_LETTER = 10;

const MATCH = 0;
const RUNE = 1;
const SPLIT = 2;
const PLACE = 3;
const SAVE = 4;
const KINDS = { match: MATCH, rune: RUNE, split: SPLIT, place: PLACE, save: SAVE };

/**
 * Thompson's machine: it follows all paths through the program at once, so that a rune costs at most two steps per
 * instruction. The next match reuses its memory. Flat arrays of numbers make it several times as fast as objects.
 */
export function machineFor({ instructions, start }: Program): (text: string) => boolean {
  const kinds = Uint8Array.from(instructions, ({ kind }) => KINDS[kind]);
  const nexts = Int32Array.from(instructions, ({ next }) => next);
  const operands = Int32Array.from(instructions, ({ operand }) => operand);
  const sets = instructions.map(({ set }) => set);
  const isAnchored = kinds[start] === PLACE && operands[start] === PLACES.beginText;
  /** Instructions that wait for a rune. */
  const threads = new Int32Array(instructions.length);
  /** Instructions still to be followed to the point where they wait. */
  const ahead = new Int32Array(instructions.length);
  /** The round in which each instruction was last added: once per round is enough. */
  const seen = new Int32Array(instructions.length);

  let stepsLeft = 0;

  /** Adds an instruction to `ahead` and returns the new count. */
  const add = (number: number, count: number, round: number): number => {
    if (seen[number] === round) return count;
    seen[number] = round;
    ahead[count] = number;
    return count + 1;
  };

  /**
   * Follows `ahead` as far as possible without consuming a rune. Returns the number of threads, or NONE if one reached
   * the end.
   */
  const follow = (count: number, places: number, round: number): number => {
    let aheadCount = count;
    let threadCount = 0;
    let steps = 0;
    while (aheadCount > 0) {
      aheadCount -= 1;
      steps += 1;
      const number = Number(ahead[aheadCount]);
      const kind = kinds[number];
      if (kind === RUNE) {
        threads[threadCount] = number;
        threadCount += 1;
      } else if (kind === SPLIT) {
        aheadCount = add(Number(nexts[number]), aheadCount, round);
        aheadCount = add(Number(operands[number]), aheadCount, round);
      } else if (kind === MATCH) return NONE;
      else if ((Number(operands[number]) & places) !== 0) aheadCount = add(Number(nexts[number]), aheadCount, round);
    }
    stepsLeft -= steps;
    return threadCount;
  };

  /** Consumes a rune and returns the number of instructions in `ahead`. */
  const advance = (threadCount: number, rune: number, round: number): number => {
    let aheadCount = 0;
    for (let index = 0; index < threadCount; index += 1) {
      const number = Number(threads[index]);
      if (sets[number]?.has(rune) === true) aheadCount = add(Number(nexts[number]), aheadCount, round);
    }
    stepsLeft -= threadCount;
    return aheadCount;
  };

  return (text) => {
    stepsLeft = MAX_STEPS + MAX_STEPS_PER_LETTER * text.length;
    seen.fill(0);
    let aheadCount = add(start, 0, 1);
    for (let at = 0, before = NONE, round = 1; ; round += 1) {
      const rune = runeAt(text, at);
      const threadCount = follow(aheadCount, placesBetween(before, rune), round);
      if (threadCount === NONE || rune === NONE) return threadCount === NONE;
      aheadCount = advance(threadCount, rune, round + 1);
      if (stepsLeft < 0) throw tooCostly(text);
      // A match may begin anywhere, unless it is anchored to the start of the text.
      if (!isAnchored) aheadCount = add(start, aheadCount, round + 1);
      else if (aheadCount === 0) return false;
      before = rune;
      at += rune > 0xffff ? 2 : 1;
    }
  };
}

/** A lone surrogate is not a rune; Go reads a replacement character for it. */
export function runeAt(text: string, at: number): number {
  const rune = text.codePointAt(at) ?? NONE;
  return rune >= 0xd800 && rune <= 0xdfff ? REPLACEMENT : rune;
}

export function placesBetween(before: number, after: number): number {
  let places: number = isWord(before) === isWord(after) ? PLACES.noBoundary : PLACES.boundary;
  if (before === NONE) places |= PLACES.beginText;
  if (before === NONE || before === NEWLINE) places |= PLACES.beginLine;
  if (after === NONE) places |= PLACES.endText;
  if (after === NONE || after === NEWLINE) places |= PLACES.endLine;
  return places;
}

/** ASCII only, as in Go. */
function isWord(rune: number): boolean {
  return (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95 || (rune >= 97 && rune <= 122);
}

function tooCostly(text: string): AppError {
  return new AppError('tooLarge', `the expression is too costly to match with a text of ${text.length} characters`);
}
