import { PLACES, type Node } from './node.ts';
import type { RuneSet } from './rune-set.ts';

/** One step of the machine. */
export interface Instruction {
  kind: 'match' | 'rune' | 'place' | 'split';
  /** The index of the next instruction. */
  next: number;
  /** For a `split`, the index of the other next instruction; for a `place`, its bit. */
  operand: number;
  /** The runes that a `rune` instruction accepts. */
  set?: RuneSet;
}

export interface Program {
  instructions: readonly Instruction[];
  start: number;
}

/** Written from end to beginning, so that the next instruction always exists already. */
export function programOf(node: Node): Program {
  const writer = new Writer();
  const start = writer.write(node, writer.add({ kind: 'match', next: 0, operand: 0 }));
  return { instructions: writer.instructions, start };
}

class Writer {
  readonly instructions: Instruction[] = [];

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
        return this.write(node.part, next);
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

  #loop({ part, min }: Node & { kind: 'repeat' }, next: number): number {
    const split: Instruction = { kind: 'split', next, operand: next };
    const loop = this.add(split);
    split.operand = this.write(part, loop);
    return min === 0 ? loop : this.#times(part, min - 1, split.operand);
  }

  #upTo({ part, min, max }: Node & { kind: 'repeat' }, next: number): number {
    let start = next;
    for (let left = max - min; left > 0; left -= 1) {
      start = this.add({ kind: 'split', next: this.write(part, start), operand: next });
    }
    return this.#times(part, min, start);
  }

  #times(part: Node, times: number, next: number): number {
    let start = next;
    for (let left = times; left > 0; left -= 1) start = this.write(part, start);
    return start;
  }
}
