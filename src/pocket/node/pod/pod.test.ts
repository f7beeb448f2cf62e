import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pod as sample, NOW } from '../../../../test/pocket/sample-objects.ts';
import type { Container, Pod } from '../../controllers/kinds/index.ts';
import { afterRestart, backOffText, waitMs, type BackOff } from './back-off.ts';
import { allContainers, newRecord, type ContainerRecord } from './container-record.ts';
import { isOver, planPod } from './pod-plan.ts';
import { podPhase } from './pod-phase.ts';
import { podStatus } from './pod-status.ts';
import { recordsFromStatus } from './records-from-status.ts';

const podOf = (spec: Partial<Pod['spec']> = {}): Pod =>
  sample('p', { spec: { containers: [{ name: 'c' }], ...spec }, status: { phase: 'Pending' } });
const running = (name: string): ContainerRecord => ({
  ...newRecord(name),
  state: { kind: 'running', startedAt: NOW, id: 'x' },
  isStarted: true,
  isReady: true,
});
const ended = (name: string, exitCode = 0, more: Partial<ContainerRecord> = {}): ContainerRecord => ({
  ...newRecord(name),
  state: { kind: 'ended', exitCode, reason: 'x', startedAt: NOW, finishedAt: NOW, id: 'x' },
  ...more,
});
const of = (...records: ContainerRecord[]) => new Map(records.map((record) => [record.name, record]));
const plan = (pod: Pod, records = of(), change: { now?: number; isEnding?: boolean } = {}) =>
  planPod(pod, { records, now: NOW, isEnding: false, ...change });

describe('back-off', () => {
  it('costs nothing at first, then 10 s, twice as much each time, up to 5 min', () => {
    let backOff: BackOff | undefined;
    let now = NOW;
    const waits: number[] = [];
    const texts: string[] = [];
    for (let life = 0; life < 8; life += 1) {
      waits.push(waitMs(backOff, now, now) / 1000);
      now += waitMs(backOff, now, now);
      backOff = afterRestart(backOff, now, now);
      texts.push(backOffText(backOff));
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
    expect(texts).toEqual(['10s', '20s', '40s', '1m20s', '2m40s', '5m0s', '5m0s', '5m0s']);
  });

  it('is forgotten by what ran for ten minutes', () => {
    const backOff = { delayMs: 160_000, at: NOW };
    expect(waitMs(backOff, NOW + 600_000, NOW + 600_000)).toBe(160_000);
    expect(waitMs(backOff, NOW + 600_001, NOW + 600_001)).toBe(0);
    expect(afterRestart(backOff, NOW + 600_001, NOW + 600_001).delayMs).toBe(10_000);
  });
});

describe('planPod', () => {
  const sidecar: Container = { name: 's', restartPolicy: 'Always' };

  it('starts what comes first one after the other, then all the rest', () => {
    const pod = podOf({ initContainers: [{ name: 'i' }, { name: 'j' }], containers: [{ name: 'a' }, { name: 'b' }] });
    expect(plan(pod).start).toEqual(['i']);
    expect(plan(pod, of(running('i'))).start).toEqual([]);
    expect(plan(pod, of(ended('i'))).start).toEqual(['j']);
    expect(plan(pod, of(ended('i'), ended('j'))).start).toEqual(['a', 'b']);
  });

  it('waits for what runs beside until that has started up', () => {
    const pod = podOf({ initContainers: [sidecar] });
    expect(plan(pod, of({ ...running('s'), isStarted: false })).start).toEqual([]);
    expect(plan(pod, of(running('s'))).start).toEqual(['c']);
    // Once all was up, one that is started again keeps nobody waiting.
    expect(plan(pod, of(ended('s'), running('c'))).start).toEqual(['s']);
  });

  it('ends what ran beside when all else is over, last come first gone', () => {
    const pod = podOf({ restartPolicy: 'Never', initContainers: [sidecar, { ...sidecar, name: 't' }] });
    expect(plan(pod, of(running('s'), running('t'), ended('c'))).stop).toEqual(['t']);
    expect(plan(pod, of(running('s'), ended('t'), ended('c'))).stop).toEqual(['s']);
  });

  it.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 0, false],
    ['OnFailure', 1, true],
    ['Never', 1, false],
  ])('with %s after exit code %i: %s', (restartPolicy, code, isRestarted) => {
    const pod = podOf({ restartPolicy });
    expect(plan(pod, of(ended('c', code))).start).toEqual(isRestarted ? ['c'] : []);
    expect(isOver(pod, of(ended('c', code)))).toBe(!isRestarted);
  });

  it('lets a container that ends again and again wait, and says until when', () => {
    const looping = ended('c', 1, { backOff: { delayMs: 20_000, at: NOW } });
    const pod = podOf({ restartPolicy: 'Always' });
    expect(plan(pod, of(looping))).toEqual({ start: [], stop: [], waiting: ['c'], lookAt: NOW + 20_000 });
    expect(plan(pod, of(looping), { now: NOW + 20_000 }).start).toEqual(['c']);
  });

  it('starts nothing in a pod that ends, and stops what runs', () => {
    const pod = podOf({ containers: [{ name: 'a' }, { name: 'b' }] });
    expect(plan(pod, of(running('a')), { isEnding: true })).toMatchObject({ start: [], stop: ['a'] });
  });

  it('starts nothing more when what comes first has failed for good', () => {
    const pod = podOf({ restartPolicy: 'Never', initContainers: [{ name: 'i' }] });
    expect(plan(pod, of(ended('i', 9)))).toMatchObject({ start: [], stop: [] });
    expect(podPhase(pod, of(ended('i', 9)), false)).toBe('Failed');
  });

  it('keeps its word for every pod: starts only what does not run, stops only what does, and never both', () => {
    const state = fc.constantFrom<Situation>('new', 'running', 'done', 'failed');
    const spec = fc.record({
      init: fc.integer({ min: 0, max: 2 }),
      beside: fc.integer({ min: 0, max: 2 }),
      main: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(
        spec,
        fc.array(state, { minLength: 7, maxLength: 7 }),
        fc.constantFrom('Always', 'OnFailure', 'Never'),
        fc.boolean(),
        (sizes, states, restartPolicy, isEnding) => {
          const names = (prefix: string, count: number): Container[] =>
            Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }));
          const pod = podOf({
            restartPolicy,
            initContainers: [
              ...names('s', sizes.beside).map((one) => ({ ...one, restartPolicy: 'Always' })),
              ...names('i', sizes.init),
            ],
            containers: names('c', sizes.main),
          });
          const records = reachable(pod, states);
          const { start, stop } = plan(pod, records, { isEnding });
          for (const name of start) expect(records.get(name)?.state.kind).not.toBe('running');
          for (const name of stop) expect(records.get(name)?.state.kind).toBe('running');
          expect(isEnding ? start : []).toEqual([]);
          expect(new Set([...start, ...stop]).size).toBe(start.length + stop.length);
          // A pod that is over says so as soon as nothing runs any more, and only then.
          const isQuiet = [...records.values()].every((one) => one.state.kind !== 'running');
          const phase = podPhase(pod, records, isEnding);
          if (isOver(pod, records) && isQuiet) expect(['Succeeded', 'Failed']).toContain(phase);
          if (!isQuiet) expect(['Succeeded', 'Failed']).not.toContain(phase);
        },
      ),
    );
  });
});

type Situation = 'new' | 'running' | 'done' | 'failed';

/** Containers in these situations, as far as that can be: nothing begins before all that comes first has done its work. */
function reachable(pod: Pod, situations: readonly Situation[]): Map<string, ContainerRecord> {
  let isHeld = false;
  return new Map(
    allContainers(pod).map(({ name }, index) => {
      const made = { new: newRecord(name), running: running(name), done: ended(name), failed: ended(name, 1) };
      const chosen = isHeld && !name.startsWith('s') ? 'new' : (situations[index] ?? 'new');
      isHeld ||= name.startsWith('i') && chosen !== 'done';
      return [name, made[chosen]];
    }),
  );
}

describe('status', () => {
  it('is read back after a stop of the cluster: what ran has ended, unseen', () => {
    const pod = podOf({ containers: [{ name: 'a' }, { name: 'b' }, { name: 'n' }] });
    const records = of(
      {
        ...running('a'),
        restarts: 2,
        last: { exitCode: 7, reason: 'Error', startedAt: NOW, finishedAt: NOW, id: 'y' },
      },
      ended('b', 3),
    );
    const status = podStatus(pod, { records, now: NOW, podIP: '127.20.0.1', isPrepared: true, isEnding: false });
    const again = recordsFromStatus({ ...pod, status }, NOW + 5000);
    expect(again.get('a')).toMatchObject({
      restarts: 2,
      state: { kind: 'ended', exitCode: 255, reason: 'Unknown', finishedAt: NOW + 5000 },
      last: { exitCode: 7 },
    });
    expect(again.get('b')?.state).toMatchObject({ kind: 'ended', exitCode: 3 });
    expect(again.get('n')?.state).toEqual({ kind: 'waiting' });
  });

  it('is Failed as soon as one container of a pod that is over has failed', () => {
    const pod = podOf({ restartPolicy: 'Never', containers: [{ name: 'a' }, { name: 'b' }] });
    expect(podPhase(pod, of(ended('a'), ended('b', 1)), false)).toBe('Failed');
    expect(podPhase(pod, of(ended('a'), ended('b')), false)).toBe('Succeeded');
  });

  it('stays initialized once it was up, whatever has become of what came first', () => {
    const pod = podOf({ initContainers: [{ name: 'i' }] });
    const initialized = (...records: ContainerRecord[]) =>
      podStatus(pod, {
        records: of(...records),
        now: NOW,
        podIP: undefined,
        isPrepared: true,
        isEnding: false,
      }).conditions?.find(({ type }) => type === 'Initialized')?.status;
    expect(initialized(ended('i', 255))).toBe('False');
    expect(initialized(ended('i', 255), running('c'))).toBe('True');
  });

  it('says why a pod failed as a whole only when nothing in it runs any more', () => {
    const failure = { reason: 'DeadlineExceeded', message: 'too long' };
    const facts = { now: NOW, podIP: undefined, isPrepared: true, isEnding: true, failure };
    expect(podStatus(podOf(), { ...facts, records: of(running('c')) }).phase).toBe('Running');
    expect(podStatus(podOf(), { ...facts, records: of(ended('c')) })).toMatchObject({ phase: 'Failed', ...failure });
  });
});
