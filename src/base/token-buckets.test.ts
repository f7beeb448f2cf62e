import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../test/fake-clock.ts';
import { TokenBuckets } from './token-buckets.ts';

describe('buckets of tokens', () => {
  it('give a burst, then one for every refill, and never save up more than the burst', async () => {
    const clock = new FakeClock();
    const buckets = new TokenBuckets({ burst: 2, refillMs: 1000, maxKeys: 10 }, clock);
    const take = (): number[] => Array.from({ length: 3 }, () => buckets.take('a'));
    expect(take()).toEqual([0, 0, 1000]);
    await clock.advance(1000);
    expect(take()).toEqual([0, 1000, 1000]);
    await clock.advance(3_600_000);
    expect(take()).toEqual([0, 0, 1000]);
  });

  it('give one in time also to who asks without pause', async () => {
    const clock = new FakeClock();
    const buckets = new TokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 10 }, clock);
    buckets.take('a');
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await clock.advance(250);
      waits.push(buckets.take('a'));
    }
    expect(waits).toEqual([750, 500, 250, 0]);
  });

  it('are kept for a bounded number of keys, and the one silent for longest is forgotten', () => {
    const buckets = new TokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 1000 }, new FakeClock());
    for (let i = 0; i < 1000; i += 1) buckets.take(`k${i}`);
    expect([buckets.take('k0'), buckets.take('k1')]).toEqual([1000, 1000]);
    buckets.take('new');
    expect([buckets.take('k0'), buckets.take('k2')]).toEqual([1000, 0]);
  });

  it('take back what was not needed, and never more than the burst', () => {
    const buckets = new TokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 10 }, new FakeClock());
    buckets.take('a');
    buckets.giveBack('a');
    buckets.giveBack('a');
    buckets.giveBack('nobody');
    expect([buckets.take('a'), buckets.take('a'), buckets.take('nobody')]).toEqual([0, 1000, 0]);
  });

  it('do not go wrong when the clock is set back', () => {
    let now = 10_000;
    const clock = { now: () => now, uptime: () => now, sleep: () => Promise.resolve() };
    const buckets = new TokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 10 }, clock);
    buckets.take('a');
    now = 0;
    expect(buckets.take('a')).toBe(1000);
  });
});
