import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError, NO_LOG } from '../../base/index.ts';
import { Door } from './door.ts';
import { GatedParts } from './gated-parts.ts';
import type { Part } from './ports.ts';

function setUp(run: Part['run']) {
  const clock = new FakeClock();
  const door = new Door();
  const parts = new GatedParts('engine', [{ name: 'worker', run }], { door, clock, log: NO_LOG, random: () => 0 });
  const stop = new AbortController();
  const ended = parts.run(stop.signal).then(
    () => 'ended',
    (error: unknown) => String(error),
  );
  return { clock, door, parts, stop, ended };
}
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

describe('parts behind a door', () => {
  it('work whenever it is open, and not while it is shut', async () => {
    const diary: string[] = [];
    const { clock, door, stop, ended } = setUp(async (signal) => {
      diary.push('in');
      await untilAborted(signal);
      diary.push(`out: ${(signal.reason as Error).message}`);
    });
    await clock.advance(0);
    expect(diary).toEqual([]);
    door.open();
    await clock.advance(0);
    door.shut(new AppError('conflict', 'Velero runs'));
    await clock.advance(0);
    door.open();
    await clock.advance(0);
    stop.abort(new AppError('canceled', 'stopped'));
    expect(await ended).toBe('ended');
    expect(diary).toEqual(['in', 'out: Velero runs', 'in', 'out: stopped']);
  });

  it('that do not stop in time are named, and end everything: somebody else is at work', async () => {
    const { clock, door, parts, ended } = setUp(() => new Promise(() => undefined));
    door.open();
    await clock.advance(0);
    expect(parts.busy()).toEqual(['worker']);
    door.shut(new AppError('conflict', 'Velero runs'));
    await clock.advance(30_000);
    expect(await ended).toContain('still at work after being told to stop: worker');
  });

  it('that crash end everything', async () => {
    const { clock, door, ended } = setUp(() => Promise.reject(new Error('a bug')));
    door.open();
    await clock.advance(0);
    expect(await ended).toContain('a bug');
  });
});
