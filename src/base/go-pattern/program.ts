import { PLACES, type Node } from './node.ts';
import type { RuneSet } from './rune-set.ts';

/** One step of the machine. */
export interface Instruction {
  kind: 'match' | 'rune' | 'place' | 'split' | 'save';
  /** The index of the next instruction; of a `split`, the one to try first. */
  next: number;
  /** For a `split`, the index of the other next instruction; for a `place`, its bit; for a `save`, what it saves. */
  operand: number;
  /** The runes that a `rune` instruction accepts. */
  set?: RuneSet;
}

export interface Program {
  instructions: readonly Instruction[];
  start: number;
}

/**
 * Written from end to beginning, so that the next instruction always exists already. Only with captures does it tell
 * where groups begin and end: their instructions cost time.
 */
export function programOf(node: Node, { captures = false }: { captures?: boolean } = {}): Program {
  const writer = new Writer(captures);
  const start = writer.write(node, writer.add({ kind: 'match', next: 0, operand: 0 }));
  return { instructions: writer.instructions, start };
}

class Writer {
  readonly instructions: Instruction[] = [];
  readonly #captures: boolean;

  constructor(captures: boolean) {
    this.#captures = captures;
  }

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /** Returns the index of its first instruction; `next` is what follows it. */
  write(node: Node, next: number): number {
    switch (node.kind) {
      case 'empty':
        return next;
      case 'rune':
        return this.add({ kind: 'rune', next, operand: 0, set: node.set });
      case 'place':
        return this.add({ kind: 'place', next, operand: PLACES[node.place] });
      case 'group':
        return this.#group(node, next);
      case 'concat':
        return node.parts.reduceRight((following, part) => this.write(part, following), next);
      case 'either':
        return node.parts
          .map((part) => this.write(part, next))
          .reduceRight((other, first) => this.add({ kind: 'split', next: first, operand: other }));
      case 'repeat':
        return node.max === Infinity ? this.#loop(node, next) : this.#upTo(node, next);
    }
  }

  #group({ part, number }: Node & { kind: 'group' }, next: number): number {
    if (!this.#captures) return this.write(part, next);
    const end = this.add({ kind: 'save', next, operand: 2 * number + 1 });
    return this.add({ kind: 'save', next: this.write(part, end), operand: 2 * number });
  }

  #loop({ part, min, isLazy }: Node & { kind: 'repeat' }, next: number): number {
    const split: Instruction = { kind: 'split', next, operand: next };
    const loop = this.add(split);
    const body = this.write(part, loop);
    if (isLazy) split.operand = body;
    else split.next = body;
    if (min > 0) return this.#times(part, min - 1, body);
    // Once around and perhaps again: what matches nothing is tried in the same order as by Go.
    return this.#captures && isNullable(part) ? this.#maybe(body, next, isLazy) : loop;
  }

  #upTo({ part, min, max, isLazy }: Node & { kind: 'repeat' }, next: number): number {
    let start = next;
    for (let left = max - min; left > 0; left -= 1) start = this.#maybe(this.write(part, start), next, isLazy);
    return this.#times(part, min, start);
  }

  #maybe(body: number, otherwise: number, isLazy: boolean): number {
    const [next, operand] = isLazy ? [otherwise, body] : [body, otherwise];
    return this.add({ kind: 'split', next, operand });
  }

  #times(part: Node, times: number, next: number): number {
    let start = next;
    for (let left = times; left > 0; left -= 1) start = this.write(part, start);
    return start;
  }
}

/** Whether it can match without consuming anything. */
function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'empty':
    case 'place':
      return true;
    case 'rune':
      return false;
    case 'group':
      return isNullable(node.part);
    case 'concat':
      return node.parts.every(isNullable);
    case 'either':
      return node.parts.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.part);
  }
}
