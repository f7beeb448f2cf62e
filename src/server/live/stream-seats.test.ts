import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { NO_LOG } from '../../base/index.ts';
import { LimitLog } from '../http/limit-log.ts';
import { StreamSeats } from './stream-seats.ts';

const LIMITS = { streams: 6, streamsPerCaller: 3, streamsPerAddress: 5, viewsPerCaller: 2, viewsPerAddress: 3 };
const seats = () => new StreamSeats(LIMITS, new LimitLog(NO_LOG, new FakeClock()));
const seat = (who: string, view: string, address = 'x') => ({ who, view, address });

it('has a limit of streams and of different views for a caller, and equal views are one', () => {
  const taken = seats();
  const first = taken.take(seat('a', 'v1'));
  taken.take(seat('a', 'v1'));
  expect(() => taken.take(seat('a', 'v2'))).not.toThrow();
  expect(() => taken.take(seat('a', 'v1'))).toThrow('you have 3 open already');
  first();
  // Leaving twice frees one seat.
  first();
  expect(() => taken.take(seat('a', 'v3'))).toThrow('you have streams with 2 different questions open already');
  taken.take(seat('a', 'v2'));
  expect(() => taken.take(seat('a', 'v2'))).toThrow('you have 3 open already');
});

it('has a limit for an address, whoever asks from there, and for the server', () => {
  const taken = seats();
  for (const [who, view] of [
    ['a', 'v1'],
    ['b', 'v2'],
    ['c', 'v3'],
  ] as const)
    taken.take(seat(who, view));
  expect(() => taken.take(seat('d', 'v4'))).toThrow('your address has streams with 3 different questions');
  taken.take(seat('d', 'v3'));
  taken.take(seat('e', 'v3'));
  expect(() => taken.take(seat('f', 'v3'))).toThrow('your address has 5 open already');
  taken.take(seat('f', 'v3', 'y'));
  expect(() => taken.take(seat('g', 'v3', 'z'))).toThrow('the server has 6 open already');
});
