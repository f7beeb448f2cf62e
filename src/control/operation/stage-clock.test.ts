import { expect, it } from 'vitest';
import { StageClock } from './stage-clock.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

it('tells how long each stage took', () => {
  const clock = new StageClock([]);
  clock.enter('discovering', 0);
  clock.enter('discovering', 500);
  clock.enter('listing', 1000);
  expect(clock.list()).toEqual([
    { stage: 'discovering', startedAt: at(0), endedAt: at(1) },
    { stage: 'listing', startedAt: at(1) },
  ]);
  clock.end(3000);
  clock.end(9000);
  expect(clock.list().at(-1)).toEqual({ stage: 'listing', startedAt: at(1), endedAt: at(3) });
});

it('starts over with a new attempt', () => {
  const known = [
    { stage: 'discovering', startedAt: at(0), endedAt: at(1) },
    { stage: 'archiving', startedAt: at(1) },
  ] as const;
  const clock = new StageClock(known);
  clock.enter('discovering', 60_000);
  expect(clock.list()).toEqual([{ stage: 'discovering', startedAt: at(60) }]);
});
