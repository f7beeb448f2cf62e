import { expect, it } from 'vitest';
import { FakeClock } from '../../test/fake-clock.ts';
import { recordingLog } from '../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../base/index.ts';
import { LimitLog } from './http/limit-log.ts';
import { Turns } from './turns.ts';

function setUp() {
  const clock = new FakeClock();
  const log = recordingLog();
  const told = new LimitLog(log, clock);
  const turns = new Turns('verify', { atOnce: 1, perCaller: 1, waiting: 4, waitMs: 1000 }, { clock, told });
  const begun: string[] = [];
  /** Its work ends when the test says so; what became of it is its code, or `done`. */
  const take = (who: string, signal: AbortSignal = new AbortController().signal) => {
    const work = Promise.withResolvers<undefined>();
    const act = async (): Promise<void> => {
      begun.push(who);
      await work.promise;
    };
    const result = turns.run({ who, address: '192.0.2.1' }, act, signal).then(
      () => 'done',
      (error: unknown) => (error as AppError).code,
    );
    return {
      end: () => {
        work.resolve(undefined);
      },
      result,
    };
  };
  return { clock, log, begun, take };
}

it('goes on in the order in which callers came', async () => {
  const { clock, begun, take } = setUp();
  const all = ['a', 'b', 'c'].map((who) => take(who));
  for (const { end } of all) {
    await clock.advance(0);
    end();
  }
  expect(await Promise.all(all.map(({ result }) => result))).toEqual(['done', 'done', 'done']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('refuses whoever waits too long, whoever finds no place, and one caller who wants all places', async () => {
  const { clock, log, begun, take } = setUp();
  const first = take('a');
  const mine = [take('a'), take('a'), take('a')];
  expect(await mine[2]?.result).toBe('throttled');
  const others = [take('b'), take('c'), take('d')];
  expect(await others[2]?.result).toBe('throttled');
  await clock.advance(1000);
  expect(await Promise.all([...mine, ...others].map(({ result }) => result))).toEqual(Array(6).fill('throttled'));
  first.end();
  expect(await first.result).toBe('done');
  expect(begun).toEqual(['a']);
  const last = take('b');
  last.end();
  expect(await last.result).toBe('done');
  expect(log.lines).toHaveLength(1);
});

it('gives the turn of one who left while waiting to the next', async () => {
  const { clock, begun, take } = setUp();
  const leaving = new AbortController();
  const [first, second, third] = [take('a'), take('b', leaving.signal), take('c')];
  leaving.abort(new AppError('canceled', 'the client has left'));
  expect(await second.result).toBe('canceled');
  first.end();
  await clock.advance(0);
  third.end();
  expect(await third.result).toBe('done');
  expect(begun).toEqual(['a', 'c']);
});

it('loses no turn when it comes in the moment in which somebody leaves', async () => {
  const { clock, begun, take } = setUp();
  const leaving = new AbortController();
  const [first, second, third] = [take('a'), take('b', leaving.signal), take('c')];
  await clock.advance(0);
  first.end();
  leaving.abort(new AppError('canceled', 'the client has left'));
  await clock.advance(0);
  second.end();
  await clock.advance(0);
  third.end();
  expect(await third.result).toBe('done');
  expect(begun.at(-1)).toBe('c');
});
