import { NONE, placesBetween, runeAt } from './machine.ts';
import type { Program } from './program.ts';

export interface PatternMatch {
  start: number;
  end: number;
  /** What each group captured last, from the first on; undefined where it took no part. */
  groups: readonly ({ start: number; end: number } | undefined)[];
}

/** One way through the program: where it waits, and what it has saved. */
interface Thread {
  at: number;
  saved: readonly number[];
}

type Search = (text: string, from: number, spend: (steps: number) => void) => PatternMatch | undefined;

/**
 * Pike's machine: like Thompson's it follows all ways at once, but in the order in which Go prefers them, and each knows
 * what its groups captured.
 */
export function searcherFor({ instructions, start }: Program, groupCount: number): Search {
  const nothing = new Array<number>(2 * (groupCount + 1)).fill(NONE);
  const seen = new Int32Array(instructions.length);
  let round = 0;

  return (text, from, spend) => {
    let threads: Thread[] = [];
    let best: readonly number[] | undefined;
    let at = from;
    let before = from === 0 ? NONE : runeBefore(text, from);
    for (;;) {
      const rune = runeAt(text, at);
      // A match that was found ends the search for later ones, not the ways that began earlier.
      if (best === undefined) threads.push({ at: start, saved: withSaved(nothing, 0, at) });
      if (threads.length === 0) break;
      round += 1;
      const { waiting, match } = follow(threads, { places: placesBetween(before, rune), at });
      best = match ?? best;
      spend(1 + waiting.length);
      if (rune === NONE) break;
      threads = [];
      for (const thread of waiting) {
        const { set, next } = instructionAt(thread.at);
        if (set?.has(rune) === true) threads.push({ at: next, saved: thread.saved });
      }
      before = rune;
      at += rune > 0xffff ? 2 : 1;
    }
    return best === undefined ? undefined : matchOf(best);
  };

  function instructionAt(number: number): Program['instructions'][number] {
    return instructions[number] as Program['instructions'][number];
  }

  /** As far as possible without consuming a rune, best ways first. What is behind a match is worse, and dropped. */
  function follow(
    threads: readonly Thread[],
    { places, at }: { places: number; at: number },
  ): { waiting: Thread[]; match: readonly number[] | undefined } {
    const waiting: Thread[] = [];
    const ahead = threads.toReversed();
    for (let thread = ahead.pop(); thread !== undefined; thread = ahead.pop()) {
      if (seen[thread.at] === round) continue;
      seen[thread.at] = round;
      const { kind, next, operand } = instructionAt(thread.at);
      const { saved } = thread;
      if (kind === 'rune') waiting.push(thread);
      else if (kind === 'match') return { waiting, match: withSaved(saved, 1, at) };
      else if (kind === 'split') ahead.push({ at: operand, saved }, { at: next, saved });
      else if (kind === 'save') ahead.push({ at: next, saved: withSaved(saved, operand, at) });
      else if ((operand & places) !== 0) ahead.push({ at: next, saved });
    }
    return { waiting, match: undefined };
  }
}

function withSaved(saved: readonly number[], index: number, at: number): number[] {
  const copy = saved.slice();
  copy[index] = at;
  return copy;
}

function runeBefore(text: string, at: number): number {
  const isPair = /[\ud800-\udbff]/.test(text.charAt(at - 2)) && /[\udc00-\udfff]/.test(text.charAt(at - 1));
  return runeAt(text, isPair ? at - 2 : at - 1);
}

function matchOf(saved: readonly number[]): PatternMatch {
  const at = (index: number): number => Number(saved[index]);
  return {
    start: at(0),
    end: at(1),
    groups: Array.from({ length: saved.length / 2 - 1 }, (_, index) => {
      const [start, end] = [at(2 * index + 2), at(2 * index + 3)];
      return start === NONE || end === NONE ? undefined : { start, end };
    }),
  };
}
