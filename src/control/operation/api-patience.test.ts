import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError } from '../../base/index.ts';
import { ApiPatience } from './api-patience.ts';

function patience(limitMs?: number) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const told: string[] = [];
  const api = new ApiPatience({
    ...{ clock, random: () => 0.5, signal: stop.signal },
    ...(limitMs === undefined ? {} : { limitMs }),
    onWaiting: ({ code }) => told.push(code),
    onResumed: () => told.push('resumed'),
  });
  return { api, clock, stop, told };
}
const away = new AppError('unreachable', 'connection refused');

describe('patience with the API server', () => {
  it('asks again while it is away, and says when it goes on', async () => {
    const { api, clock, told } = patience();
    let tries = 0;
    const answer = api.call(() => {
      tries += 1;
      return tries < 4 ? Promise.reject(away) : Promise.resolve('there');
    });
    await clock.advance(120_000);
    expect(await answer).toBe('there');
    expect(told).toEqual(['unreachable', 'unreachable', 'unreachable', 'resumed']);
  });

  it('gives up after its limit, with what the server said', async () => {
    const { api, clock, told } = patience(30_000);
    const answer = expect(api.call(() => Promise.reject(away))).rejects.toBe(away);
    await clock.advance(60_000);
    await answer;
    expect(told.at(-1)).toBe('resumed');
  });

  it('does not wait minutes for an error of one request, nor at all for what cannot pass', async () => {
    const { api, clock, told } = patience();
    const broken = new AppError('serverError', '500');
    let tries = 0;
    const answer = expect(
      api.call(() => {
        tries += 1;
        return Promise.reject(broken);
      }),
    ).rejects.toBe(broken);
    await clock.advance(60_000);
    await answer;
    expect(tries).toBeLessThan(10);
    const before = told.length;
    await expect(api.call(() => Promise.reject(new AppError('forbidden', 'no')))).rejects.toThrow('no');
    expect(told).toHaveLength(before);
  });

  it('says that it goes on only when nobody waits any more', async () => {
    const { api, clock, told } = patience();
    const line = { isUp: false };
    const ask = () => api.call(() => (line.isUp ? Promise.resolve(1) : Promise.reject(away)));
    const both = Promise.all([ask(), ask()]);
    await clock.advance(1000);
    line.isUp = true;
    await clock.advance(60_000);
    await both;
    expect(told.filter((word) => word === 'resumed')).toHaveLength(1);
  });

  it('ends with the reason of its signal', async () => {
    const { api, clock, stop } = patience();
    const reason = new Error('canceled');
    const answer = expect(api.call(() => Promise.reject(away))).rejects.toBe(reason);
    await clock.advance(100);
    stop.abort(reason);
    await answer;
  });
});
