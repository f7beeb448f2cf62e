import { describe, expect, it } from 'vitest';
import { interleaved } from './interleaved.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives its values one by one, after so many turns each. */
class Source {
  begun = false;
  ended = false;
  readonly #values: readonly string[];
  readonly #turns: number;

  constructor(values: readonly string[], turns = 1) {
    this.#values = values;
    this.#turns = turns;
  }

  async *read(): AsyncGenerator<string> {
    this.begun = true;
    try {
      for (const value of this.#values) {
        for (let count = 0; count < this.#turns; count += 1) await turn();
        yield value;
      }
    } finally {
      this.ended = true;
    }
  }
}

const all = async (given: AsyncGenerator<string>): Promise<string[]> => {
  const values: string[] = [];
  for await (const value of given) values.push(value);
  return values;
};

describe('interleaved sources', () => {
  it('give everything, each in its own order, the fast ones not behind the slow one', async () => {
    const sources = [new Source(['a1', 'a2'], 20), new Source(['b1', 'b2', 'b3']), new Source(['c1'])];
    const values = await all(
      interleaved(
        sources.map((source) => source.read()),
        3,
      ),
    );
    expect(values.filter((value) => value.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(values.filter((value) => value.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
    expect(values).toHaveLength(6);
    expect(values.slice(0, 4)).not.toContain('a1');
  });

  it('go in the order in which they were begun, if several have something', async () => {
    // Read ahead while others are processed.
    const ready = async function* (...values: string[]): AsyncGenerator<string> {
      for (const value of values) yield await Promise.resolve(value);
    };
    const given = interleaved([ready('a1', 'a2', 'a3'), ready('b1', 'b2'), ready('c1')], 2);
    expect(await all(given)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  });

  it('are begun only so many at once, and the next when one has ended', async () => {
    const sources = [new Source(['a']), new Source(['b']), new Source(['c'])];
    const given = interleaved(
      sources.map((source) => source.read()),
      2,
    );
    await given.next();
    expect(sources.map(({ begun }) => begun)).toEqual([true, true, false]);
    expect(await all(given)).toHaveLength(2);
    expect(sources.map(({ ended }) => ended)).toEqual([true, true, true]);
  });

  it('are asked for no more before what they gave was processed', async () => {
    const source = new Source(['a', 'b']);
    const given = interleaved([source.read()], 2);
    await given.next();
    for (let count = 0; count < 5; count += 1) await turn();
    expect(source.ended).toBe(false);
    await all(given);
    expect(source.ended).toBe(true);
  });

  it('end with the reader, and with the first failure', async () => {
    const [other, third] = [new Source(['x', 'y']), new Source(['z'])];
    async function* failing(): AsyncGenerator<string> {
      await turn();
      throw new Error('broken');
    }
    await expect(all(interleaved([failing(), other.read()], 2))).rejects.toThrow('broken');
    const stopped = interleaved([third.read(), new Source(['q'], 3).read()], 2);
    await stopped.next();
    await stopped.return(undefined);
    for (let count = 0; count < 10; count += 1) await turn();
    expect([other.ended, third.ended]).toEqual([true, true]);
  });
});
