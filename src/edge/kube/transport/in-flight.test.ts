import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startDeadline } from './deadline.ts';
import { InFlight, type Turn } from './in-flight.ts';

const within = (ms: number) => startDeadline(ms, undefined);

/** Those that entered, in their order; each stays until it is told to go. */
function crowd(inFlight: InFlight) {
  const inside = new Map<string, Turn>();
  const order: string[] = [];
  const come = (name: string, ms = 60_000): Promise<void> => {
    const deadline = within(ms);
    return inFlight.enter(deadline, ms).then((turn) => {
      deadline.clear();
      inside.set(name, turn);
      order.push(name);
    });
  };
  const leave = async (name: string, how: 'answered' | 'refused' = 'answered'): Promise<void> => {
    const turn = inside.get(name);
    inside.delete(name);
    turn?.[how]();
    turn?.[Symbol.dispose]();
    await new Promise(setImmediate);
  };
  return { inside, order, come, leave };
}

describe('requests in flight', () => {
  it('are as many as the most, and the others wait', async () => {
    const { inside, come, leave } = crowd(new InFlight(2));
    void ['a', 'b', 'c'].map((name) => come(name));
    await new Promise(setImmediate);
    expect([...inside.keys()]).toEqual(['a', 'b']);
    await leave('a');
    expect([...inside.keys()]).toEqual(['b', 'c']);
  });

  it('are half as many when one is turned away, however many of a burst are', async () => {
    const inFlight = new InFlight(16);
    const { come, leave } = crowd(inFlight);
    const names = Array.from({ length: 16 }, (_, at) => String(at));
    await Promise.all(names.map((name) => come(name)));
    for (const name of names) await leave(name, 'refused');
    expect(inFlight.limit).toBe(8);
    await come('next');
    await leave('next', 'refused');
    expect(inFlight.limit).toBe(4);
  });

  it('become more again with the answers, and never less than one nor more than the most', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 300 }), async (outcomes) => {
        const inFlight = new InFlight(8);
        for (const isAnswered of outcomes) {
          const before = inFlight.limit;
          const deadline = within(1000);
          using turn = await inFlight.enter(deadline, 60_000);
          deadline.clear();
          if (isAnswered) turn.answered();
          else turn.refused();
          expect(inFlight.limit).toBeGreaterThanOrEqual(isAnswered ? before : 1);
          expect(inFlight.limit).toBeLessThanOrEqual(isAnswered ? 8 : before);
        }
      }),
    );
  });

  it('become more slowly: one more takes a few rounds', async () => {
    const inFlight = new InFlight(16);
    const { come, leave } = crowd(inFlight);
    await come('x');
    await leave('x', 'refused');
    for (let time = 0; time < 3 * 8; time += 1) {
      await come('x');
      await leave('x');
    }
    expect(inFlight.limit).toBe(8);
  });

  it('reach the most again after a while', async () => {
    const inFlight = new InFlight(8);
    const { come, leave } = crowd(inFlight);
    for (let time = 0; time < 4; time += 1) {
      await come('x');
      await leave('x', 'refused');
    }
    expect(inFlight.limit).toBe(1);
    for (let time = 0; time < 200; time += 1) {
      await come('x');
      await leave('x');
    }
    expect(inFlight.limit).toBe(8);
  });

  it('go in the order of their deadlines', async () => {
    const { order, come, leave } = crowd(new InFlight(1));
    await come('first');
    const waiting = [come('create', 30_000), come('another', 30_000), come('lease', 20_000), come('list', 60_000)];
    for (const name of ['first', 'lease', 'create', 'another']) await leave(name);
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'lease', 'create', 'another', 'list']);
  });

  it('are two more for those that have seconds, when all others hang', async () => {
    const { inside, come, leave } = crowd(new InFlight(1));
    await come('hangs');
    void ['lease', 'progress', 'third'].map((name) => come(name, 10_000));
    void come('create', 30_000);
    await new Promise(setImmediate);
    expect([...inside.keys()]).toEqual(['hangs', 'lease', 'progress']);
    await leave('lease');
    expect([...inside.keys()]).toEqual(['hangs', 'progress', 'third']);
    await leave('third');
    await leave('progress');
    expect([...inside.keys()]).toEqual(['hangs']);
    await leave('hangs');
    expect([...inside.keys()]).toEqual(['create']);
  });

  it('leave the queue when their time is up, and leave nobody behind', async () => {
    const { come, leave, inside } = crowd(new InFlight(1));
    await come('first');
    for (const urgent of ['lease', 'progress']) await come(urgent, 10_000);
    const late = expect(come('late', 1)).rejects.toThrow();
    const patient = come('patient');
    await late;
    for (const name of ['first', 'lease', 'progress']) await leave(name);
    await patient;
    expect([...inside.keys()]).toEqual(['patient']);
  });

  it('are urgent by the time that they had from the start, not by what is left of it', async () => {
    const inFlight = new InFlight(1);
    const [slow, retried, lease] = [within(60_000), within(5_000), within(10_000)];
    const entered: string[] = [];
    const enter = async (name: string, deadline: typeof slow, limitMs: number): Promise<Turn> => {
      const turn = await inFlight.enter(deadline, limitMs);
      deadline.clear();
      entered.push(name);
      return turn;
    };
    const first = await enter('slow', slow, 60_000);
    const second = enter('retried', retried, 30_000);
    (await enter('lease', lease, 10_000))[Symbol.dispose]();
    expect(entered).toEqual(['slow', 'lease']);
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    expect(entered).toEqual(['slow', 'lease', 'retried']);
  });
});
