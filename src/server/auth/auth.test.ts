import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { LimitLog } from '../http/limit-log.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { LoginLinks } from './login-links.ts';
import { Seal, isSameText } from './seal.ts';

const key = new Uint8Array(32).fill(1);

it('opens only what it sealed itself, for the same purpose', () => {
  const seal = new Seal(key, 'a');
  const text = seal.close({ secret: 'token' });
  expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('token');
  expect(seal.open(text)).toEqual({ secret: 'token' });
  expect(new Seal(key, 'b').open(text)).toBeUndefined();
  expect(new Seal(new Uint8Array(32), 'a').open(text)).toBeUndefined();
  for (const forged of ['', 'x', text.slice(1), `${text}AA`]) expect(seal.open(forged)).toBeUndefined();
  expect(() => new Seal(new Uint8Array(5), 'a')).toThrow(/32 bytes/);
  expect([isSameText('a', 'a'), isSameText('a', 'b'), isSameText('a', '')]).toEqual([true, false, false]);
});

it('lets a link in once, and tells that the next one is needed', () => {
  let used = 0;
  const links = new LoginLinks(() => (used += 1));
  const [first, second] = [links.create(), links.create()];
  expect(first).toMatch(/^[\w-]{22}$/);
  expect([first, first, '', `${second}A`].map((code) => links.use(code))).toEqual([
    'taken',
    'used',
    'unknown',
    'unknown',
  ]);
  expect(used).toBe(1);
  expect(links.use(second)).toBe('taken');
  expect(used).toBe(2);
});

it('lets through a burst and then as many as are earned, and says so once in a while', async () => {
  const clock = new FakeClock();
  const log = recordingLog();
  const limit = new RateLimit({ perSecond: 2, burst: 3, what: 'requests' }, clock, new LimitLog(log, clock));
  const take = (who: string): boolean => {
    try {
      limit.take(who);
      return true;
    } catch {
      // Refused is what is looked at.
      return false;
    }
  };
  expect(['a', 'a', 'a', 'a', 'b'].map(take)).toEqual([true, true, true, false, true]);
  await clock.advance(1000);
  expect(['a', 'a', 'a'].map(take)).toEqual([true, true, false]);
  limit.giveBack('a');
  expect(['a', 'a'].map(take)).toEqual([true, false]);
  expect(log.lines).toEqual([
    { level: 'warn', message: 'limit reached', fields: { limit: 'requests', address: 'a', refusedSinceLastLine: 1 } },
  ]);
  await clock.advance(10_000);
  Array.from({ length: 25 }, () => take('c'));
  expect(log.lines.slice(1).map(({ fields }) => fields['refusedSinceLastLine'])).toEqual([3]);
});
