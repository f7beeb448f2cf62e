import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError } from '../../base/index.ts';
import { Patience, UNHURRIED } from './patience.ts';

function patience(limitMs?: number) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const told: string[] = [];
  const server = { isAnswering: true, asked: 0 };
  const whole = new Patience({
    ...{ clock, random: () => 0.5 },
    ...(limitMs === undefined ? {} : { limitMs }),
    onWaiting: ({ code }) => {
      told.push(code);
      return {
        tell: (cause) => told.push(cause.code),
        end: () => told.push('resumed'),
      };
    },
    isAnswering: () => {
      server.asked += 1;
      return Promise.resolve(server.isAnswering);
    },
  });
  const unhurried = whole.until(stop.signal, UNHURRIED);
  return { api: whole.until(stop.signal), unhurried, clock, stop, told, server };
}
const away = new AppError('unreachable', 'connection refused');
const broken = new AppError('serverError', 'etcd is slow', { details: { httpStatus: 500, status: {} } });
const noServer = new AppError('serverError', 'no server', { details: { httpStatus: 503 } });

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

  it('measures its limit by a clock that nobody can set', async () => {
    const { api, clock } = patience(60_000);
    let tries = 0;
    const answer = api.call(() => {
      tries += 1;
      return tries < 5 ? Promise.reject(away) : Promise.resolve('there');
    });
    await clock.advance(500);
    clock.setForward(24 * 3600_000);
    await clock.advance(50_000);
    expect(await answer).toBe('there');
  });

  it('does not wait minutes for an error of one request, nor at all for what cannot pass', async () => {
    const { api, clock, told } = patience();
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

  it('waits minutes for a load balancer that has no server behind it', async () => {
    const { api, clock, server } = patience();
    server.isAnswering = false;
    let isUp = false;
    const answer = api.call(() => (isUp ? Promise.resolve('there') : Promise.reject(noServer)));
    await clock.advance(5 * 60_000);
    isUp = true;
    await clock.advance(20_000);
    expect(await answer).toBe('there');
  });

  it('does not wait minutes for a proxy in front of one API when the server itself answers', async () => {
    const { api, clock, server } = patience();
    const startedAt = clock.now();
    let endedAt = 0;
    const answer = expect(
      api
        .call(() => Promise.reject(noServer))
        .finally(() => {
          endedAt = clock.now();
        }),
    ).rejects.toBe(noServer);
    await clock.advance(60_000);
    await answer;
    expect(server.asked).toBeGreaterThan(0);
    expect(endedAt - startedAt).toBeLessThan(30_000);
  });

  it.each([
    ['turned away', new AppError('throttled', 'too many requests', { retry: { afterMs: 1000 } })],
    ['left waiting for its turn', new AppError('timeout', 'no turn', { details: { isQueued: true } })],
  ])('never takes a server that works for one that is away: %s', async (_, busy) => {
    const { unhurried: api, clock } = patience();
    // For two hours there is always a call that waits, and each gets through in the end.
    const calls = Array.from({ length: 12 }, async (_each, at) => {
      await clock.sleep(at * 600_000);
      const until = clock.now() + 50 * 60_000;
      return await api.call(() => (clock.now() < until ? Promise.reject(busy) : Promise.resolve('there')));
    });
    for (let minute = 0; minute < 180; minute += 1) await clock.advance(60_000);
    expect(await Promise.all(calls)).toEqual(Array(12).fill('there'));
    expect(api.isExhausted).toBe(false);
    const never = expect(api.call(() => Promise.reject(busy))).rejects.toBe(busy);
    await clock.advance(65 * 60_000);
    await never;
  });

  it('waits for its turn no longer than for an outage, where somebody stands still meanwhile', async () => {
    const { api, clock } = patience();
    const busy = new AppError('throttled', 'too many requests', { retry: { afterMs: 1000 } });
    const never = expect(api.call(() => Promise.reject(busy))).rejects.toBe(busy);
    await clock.advance(11 * 60_000);
    await never;
  });

  it('has all its patience for an outage also after it was turned away for long, and the other way round', async () => {
    const { unhurried: api, clock } = patience();
    const busy = new AppError('throttled', 'too many requests', { retry: { afterMs: 1000 } });
    const failures = [
      { until: 9 * 60_000, error: away },
      { until: 40 * 60_000, error: busy },
      { until: 41 * 60_000, error: away },
      { until: 41 * 60_000 + 10_000, error: broken },
    ];
    const startedAt = clock.now();
    const answer = api.call(() => {
      const now = clock.now() - startedAt;
      const failure = failures.find(({ until }) => now < until);
      return failure === undefined ? Promise.resolve('there') : Promise.reject(failure.error);
    });
    for (let minute = 0; minute < 45; minute += 1) {
      await clock.advance(60_000);
      // Between the outages there were answers, of a kind.
      if (minute === 20) expect(api.isExhausted).toBe(false);
    }
    expect(await answer).toBe('there');
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

describe('the patience of a whole operation', () => {
  it('is used up by the first call that waited in vain: the next ones do not wait again', async () => {
    const { api, clock } = patience();
    const first = expect(api.call(() => Promise.reject(away))).rejects.toBe(away);
    await clock.advance(11 * 60_000);
    await first;
    expect(api.isExhausted).toBe(true);
    const before = clock.now();
    for (let item = 0; item < 1000; item += 1) {
      await expect(api.call(() => Promise.reject(away))).rejects.toBe(away);
    }
    expect(clock.now()).toBe(before);
  });

  it('comes back when the server answers', async () => {
    const { api, clock } = patience();
    const first = expect(api.call(() => Promise.reject(away))).rejects.toBe(away);
    await clock.advance(11 * 60_000);
    await first;
    await api.call(() => Promise.resolve(1));
    expect(api.isExhausted).toBe(false);
  });

  it.each([
    ['a refusal', new AppError('notFound', 'no such object')],
    ['an error of its own', broken],
  ])('comes back also when the server answers with %s, after which nothing is asked for long', async (_, refusal) => {
    const { api, clock } = patience();
    const answers = [away, refusal];
    const first = expect(api.call(() => Promise.reject(answers.shift() ?? refusal))).rejects.toBe(refusal);
    await clock.advance(60_000);
    await first;
    await clock.advance(20 * 60_000);
    expect(api.isExhausted).toBe(false);
    const later = [away];
    const next = api.call(() =>
      later.length > 0 ? Promise.reject(later.pop() as AppError) : Promise.resolve('there'),
    );
    await clock.advance(10_000);
    expect(await next).toBe('there');
  });

  it('is half an hour in all for a server that comes and goes', async () => {
    const { api, clock } = patience();
    let waited = 0;
    for (let item = 0; item < 100 && !api.isExhausted; item += 1) {
      const startedAt = clock.now();
      const answer = api
        .call(() => (clock.now() - startedAt < 3 * 60_000 ? Promise.reject(away) : Promise.resolve(1)))
        .catch(() => 0);
      await clock.advance(4 * 60_000);
      await answer;
      waited += 1;
    }
    expect(waited).toBeLessThan(12);
    expect(api.isExhausted).toBe(true);
  });

  it('is five minutes in all for errors that the server answers with', async () => {
    const { api, clock } = patience();
    for (let item = 0; item < 40; item += 1) {
      const answer = expect(api.call(() => Promise.reject(broken))).rejects.toBe(broken);
      await clock.advance(25_000);
      await answer;
    }
    let tries = 0;
    const failing = () => {
      tries += 1;
      return Promise.reject(broken);
    };
    await expect(api.call(failing)).rejects.toBe(broken);
    expect(tries).toBe(1);
    expect(api.isExhausted).toBe(false);
  });
});
