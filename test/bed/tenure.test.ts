import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify, isAlive, MARK, type ProcessId } from './processes.ts';
import { scratch, type Scratch } from './scratch.ts';
import { type BedState, readState, writeState } from './state.ts';
import { claim, endBed, isStale } from './tenure.ts';

const DEAD: ProcessId = { pid: 1, startTime: 'never' };
const SELF = identify(process.pid)!;

function state(change: Partial<BedState>): BedState {
  const base = {
    name: 'a',
    phase: 'up',
    keep: true,
    starter: SELF,
    processes: [],
    clusters: [],
    velero: false,
  } as const;
  return { ...base, processes: [], clusters: [], ...change };
}

function sleeper(place: Scratch, env: Record<string, string> = {}) {
  const { id } = place.start('sleep', ['100'], env);
  return { ...id, name: 'sleep', log: '' };
}

describe('isStale', () => {
  const living = [{ ...SELF, name: 'x', log: '' }];
  it.each<[string, boolean, Partial<BedState>]>([
    ['a kept bed whose starter is gone', false, { starter: DEAD, processes: living }],
    ['a kept bed whose processes are all gone', true, { processes: [{ ...DEAD, name: 'x', log: '' }] }],
    ['a bed that is being started', false, { phase: 'starting' }],
    ['a bed whose starter died while starting it', true, { phase: 'starting', starter: DEAD, processes: living }],
    ["a living test's bed", false, { keep: false, processes: living }],
    ["a dead test's bed", true, { keep: false, starter: DEAD, processes: living }],
  ])('%s: %s', (_, expected, change) => {
    expect(isStale(state(change))).toBe(expected);
  });
});

describe('claim', () => {
  it('gives a name to one at a time', async () => {
    using place = scratch();
    const claims = await Promise.all([1, 2, 3].map(() => claim(place.directory, 'a', true)));
    expect(claims.filter((directory) => directory !== undefined)).toEqual([join(place.directory, 'a')]);
    expect(readState(join(place.directory, 'a'))?.phase).toBe('starting');
  });

  it('ends what a dead starter left, written down or not, and leaves living beds alone', async () => {
    using place = scratch();
    const stale = join(place.directory, 'stale');
    const recorded = sleeper(place);
    const unrecorded = sleeper(place, { [MARK]: stale });
    writeState(stale, state({ phase: 'starting', starter: DEAD, processes: [recorded] }));
    const kept = sleeper(place);
    writeState(join(place.directory, 'kept'), state({ starter: DEAD, processes: [kept] }));
    expect(await claim(place.directory, 'new', false)).toBe(join(place.directory, 'new'));
    expect([recorded, unrecorded, kept].map(isAlive)).toEqual([false, false, true]);
    expect(existsSync(stale)).toBe(false);
    expect(existsSync(join(place.directory, 'kept'))).toBe(true);
  });

  it('replaces a bed of its name that lost a process', async () => {
    using place = scratch();
    const left = sleeper(place);
    const lost = { ...DEAD, name: 'etcd', log: '' };
    writeState(join(place.directory, 'a'), state({ processes: [left, lost] }));
    expect(await claim(place.directory, 'other', false)).toBeDefined();
    expect(isAlive(left)).toBe(true);
    expect(await claim(place.directory, 'a', true)).toBeDefined();
    expect(isAlive(left)).toBe(false);
  });

  it('cleans a directory that holds no readable state', async () => {
    using place = scratch();
    mkdirSync(join(place.directory, 'a', 'logs'), { recursive: true });
    expect(await claim(place.directory, 'a', true)).toBeDefined();
  });
});

describe('endBed', () => {
  it('ends exactly its processes, and says so', async () => {
    using place = scratch();
    const mine = place.start('sleep', ['100']);
    const gone = once(mine, 'exit');
    const other = sleeper(place);
    writeState(join(place.directory, 'a'), state({ processes: [{ ...mine.id, name: 'sleep', log: '' }] }));
    expect(await endBed(place.directory, 'a')).toBe(1);
    await gone;
    expect(isAlive(other)).toBe(true);
    expect(existsSync(join(place.directory, 'a'))).toBe(false);
    expect(await endBed(place.directory, 'a')).toBeUndefined();
  });
});
