import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { EndedSessions } from './ended-sessions.ts';

function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'headway-ended-'));
  const clock = new FakeClock();
  const file = join(directory, 'ended.json');
  return {
    file,
    clock,
    open: () => new EndedSessions({ file, clock, lifetimeMs: 1000, max: 100 }),
    [Symbol.dispose]: () => {
      rmSync(directory, { recursive: true });
    },
  };
}

it('remembers which sessions have ended for as long as their cookies could live', async () => {
  using place = setUp();
  const { clock } = place;
  const begunAt = clock.now();
  const ended = place.open();
  ended.end('a');
  await clock.advance(900);
  ended.end('b');
  const has = (of: EndedSessions) => ['a', 'b', 'c'].map((id) => of.has(id, begunAt));
  expect([has(ended), has(place.open())]).toEqual([
    [true, true, false],
    [true, true, false],
  ]);
  await clock.advance(200);
  ended.end('c');
  expect(has(place.open())).toEqual([false, true, true]);
});

it('stays small, and then lets nobody in again whose end it has forgotten', async () => {
  using place = setUp();
  const { clock } = place;
  const ended = place.open();
  const begunAt = clock.now();
  ended.end('first');
  await clock.advance(1);
  for (let at = 0; at < 100; at += 1) ended.end(`s${String(at)}`);
  expect(Object.keys((JSON.parse(readFileSync(place.file, 'utf8')) as { ended: object }).ended)).toHaveLength(100);
  for (const each of [ended, place.open()]) {
    expect([each.has('first', begunAt), each.has('s0', clock.now()), each.has('other', clock.now())]).toEqual([
      true,
      true,
      false,
    ]);
  }
});

it('tells whoever waits for the end of a session, once', () => {
  using place = setUp();
  const ended = place.open();
  const told: string[] = [];
  const leave = ended.onEnd('a', () => told.push('left'));
  ended.onEnd('a', () => told.push('a'));
  ended.onEnd('b', () => told.push('b'));
  leave();
  ended.end('a');
  expect(told).toEqual(['a']);
});
