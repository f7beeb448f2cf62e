import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/progress/index.ts';
import {
  addSample,
  type Operation,
  type OperationStep,
  type Sample,
  type StageTime,
} from '../../../src/core/operations/index.ts';
import { chartOf, rateTicks, timeTicks } from './chart-path.ts';
import { appendLog, EMPTY_LOG, readable, searchLog } from './log-buffer.ts';
import { partTree } from './part-tree.ts';
import { groupSteps, mainStep, stepsOf } from './steps.ts';

const T0 = Date.parse('2026-11-16T01:00:00Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();
const report = (parts: Partial<Report>): Report => ({ state: 'running', measures: [], children: [], ...parts });

function restore(parts: Partial<Report>, ended?: string): Operation {
  return {
    id: 'demo.restore.velero.a',
    cluster: 'demo',
    noun: 'restore',
    ref: { apiVersion: 'velero.io/v1', kind: 'Restore', namespace: 'velero', name: 'a' },
    phase: 'InProgress',
    report: report(parts),
    createdAt: at(0),
    ...(ended === undefined ? {} : { endedAt: ended }),
    facts: {},
    problems: [],
    errors: 0,
    warnings: 0,
  };
}

const STAGES: StageTime[] = [
  { stage: 'downloading', startedAt: at(0), endedAt: at(1) },
  { stage: 'checking', startedAt: at(1) },
];

describe('stepsOf', () => {
  const short = (operation: Operation, stages = STAGES): string[] =>
    stepsOf(operation, { stages, steps: [] }, T0 + 4000).map(
      ({ name, state, seconds }) => `${name} ${state} ${String(seconds ?? '')}`,
    );

  it('shows what is behind, the one it is in and what has not started', () => {
    expect(short(restore({ stage: 'checking' }))).toEqual([
      'downloading done 1',
      'checking running 3',
      'collecting notStarted ',
      'restoring notStarted ',
      'finalizing notStarted ',
    ]);
  });

  it('knows from the events of a stage that the detail has not heard of', () => {
    const steps = short(restore({ stage: 'volumes', lastProgressAt: at(3) }));
    expect(steps[2]).toBe('volumes running 1');
  });

  it('ends where the operation failed', () => {
    const steps = short(restore({ state: 'failed' }, at(2)));
    expect(steps.slice(1, 3)).toEqual(['checking failed 1', 'collecting notReached ']);
  });

  it.each([
    [{ created: 5, updated: 0, skipped: 1, failed: 3 }, 'restoring partly 3 failed'],
    [{ created: 0, updated: 0, skipped: 0, failed: 1663 }, 'restoring failed 1 663 failed'],
    [undefined, 'restoring partly 2 errors'],
  ])('is not green where items failed: %o', (counts, shown) => {
    const parts = { state: 'partiallyFailed' as const, ...(counts === undefined ? {} : { counts }) };
    const operation = { ...restore(parts, at(9)), errors: 2 };
    const stages = [...STAGES, { stage: 'restoring' as const, startedAt: at(2), endedAt: at(8) }];
    const [, , step] = stepsOf(
      operation,
      { stages: [...stages, { stage: 'finalizing', startedAt: at(8) }], steps: [] },
      T0,
    );
    expect(`${String(step?.name)} ${String(step?.state)} ${String(step?.trouble)}`).toBe(shown);
  });

  it('has gone through everything when only some of it failed', () => {
    expect(short(restore({ state: 'partiallyFailed' }, at(2)))).toEqual(['downloading done 1', 'checking done 1']);
  });

  it('shows only what there was after success', () => {
    expect(short(restore({ state: 'completed' }, at(2)))).toEqual(['downloading done 1', 'checking done 1']);
  });
});

describe('steps of kinds that have their own', () => {
  const step = (number: number, state: OperationStep['state'], more: Partial<OperationStep> = {}): OperationStep => ({
    number,
    name: `s${String(number)}`,
    state,
    measures: [],
    lines: [],
    ...more,
  });
  const migration = (parts: Partial<Report>, more: Partial<Operation> = {}): Operation => {
    const one = restore(parts, more.endedAt);
    return { ...one, noun: 'migration', ref: { ...one.ref, kind: 'MigMigration' }, ...more };
  };
  const shown = (operation: Operation, ...steps: OperationStep[]): string[] =>
    stepsOf(operation, { stages: [], steps }, T0 + 4000).map(
      ({ number, state, seconds }) => `${String(number)} ${state} ${String(seconds ?? '')}`,
    );

  it('are timed by what was written down, and never by what was not', () => {
    const [done, running] = [{ startedAt: at(0), endedAt: at(1) }, { startedAt: at(1) }];
    expect(
      shown(migration({}), step(1, 'Completed', done), step(2, 'Running', running), step(3, 'Not started')),
    ).toEqual(['1 done 1', '2 running 3', '3 notStarted ']);
    expect(shown(migration({ state: 'failed' }), step(1, 'Failed', { startedAt: at(0) }))).toEqual(['1 failed ']);
  });

  it.each([
    ['canceled', ['1 canceled 2', '2 canceled 1', '3 notReached ']],
    ['failed', ['1 canceled 2', '2 failed 1', '3 notReached ']],
  ] as const)('of one that ended %s do not run on', (state, expected) => {
    const steps = [
      step(1, 'Canceled', { startedAt: at(0), endedAt: at(2) }),
      step(2, 'Running', { startedAt: at(2) }),
      step(3, 'Not started'),
    ];
    expect(shown(migration({ state }, { endedAt: at(3) }), ...steps)).toEqual(expected);
  });

  it('stand where MTC says that the only one it tells of is', () => {
    expect(shown(migration({}, { step: { number: 7, of: 33, name: 'Backup' } }), step(1, 'Running'))).toEqual([
      '7 running ',
    ]);
  });

  it('are grouped by action where several run at once, and the first that runs is open', () => {
    const steps = stepsOf(
      migration({}),
      {
        stages: [],
        steps: [step(1, 'Completed', { of: 'a' }), step(2, 'Running', { of: 'b' }), step(3, 'Failed', { of: 'b' })],
      },
      T0,
    );
    expect(groupSteps(steps).map(({ of, steps: some }) => [of, some.length])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(mainStep(steps)?.number).toBe(2);
  });

  it('are not grouped where there is one action', () => {
    const steps = [step(1, 'Completed', { of: 'a' }), step(2, 'Running', { of: 'a' })];
    expect(stepsOf(migration({}), { stages: [], steps }, T0).map(({ of }) => of)).toEqual([undefined, undefined]);
  });

  it.each(['Failed', 'Canceled'] as const)('open where it broke off when none runs: %s', (state) => {
    const steps = [step(1, 'Completed'), step(2, state), step(3, 'Skipped')];
    expect(mainStep(stepsOf(migration({ state: 'failed' }), { stages: [], steps }, T0))?.number).toBe(2);
  });

  it('took no time if they were skipped, whatever was written down', () => {
    const skipped = step(1, 'Skipped', { startedAt: at(0), endedAt: at(3) });
    expect(shown(migration({ state: 'failed' }), skipped)).toEqual(['1 skipped ']);
  });
});

describe('parts', () => {
  it('are a tree of bounded size, whatever belongs to whom', () => {
    const part = (id: string, parent: string): Operation => ({ ...restore({}), id, parent });
    const many = Array.from({ length: 50 }, (_, number) => part(`v${String(number)}`, 'b'));
    const { nodes, more } = partTree({
      id: 'm',
      parts: [part('b', 'm'), ...many, part('x', 'nobody'), part('y', 'y')],
    });
    expect(more).toBe(0);
    expect(nodes.map((node) => [node.part.id, node.below.length, node.more])).toEqual([['b', 4, 46]]);
  });
});

describe('the chart', () => {
  it('goes from zero up and marks where a stage begins', () => {
    const samples: Sample[] = [
      { at: 0, rate: 0, stage: 'collecting' },
      { at: 1000, rate: 50, stage: 'restoring' },
      { at: 2000, rate: 100, stage: 'restoring' },
    ];
    const chart = chartOf(samples, 200, 100);
    expect(chart?.line).toBe('M0.0,100.0L100.0,50.0L200.0,0.0');
    expect(chart?.marks).toEqual([{ x: 100, stage: 'restoring', isNamed: true }]);
    expect(chart?.rates.map(({ y, rate }) => `${String(rate)} at ${String(y)}`)).toEqual([
      '0 at 100',
      '50 at 50',
      '100 at 0',
    ]);
    expect(chart?.times).toEqual([
      { x: 0, text: '0 s' },
      { x: 100, text: '1 s' },
      { x: 200, text: '2 s' },
    ]);
    expect(chartOf(samples.slice(0, 1), 200, 100)).toBeUndefined();
  });

  it.each([
    [812, [0, 500, 1000]],
    [0.7, [0, 0.4, 0.8]],
    [1, [0, 0.5, 1]],
  ])('has a round axis for rates up to %d', (max, ticks) => {
    expect(rateTicks(max)).toEqual(ticks);
  });

  it.each([
    [3, [0, 1, 2, 3]],
    [95, [0, 30, 60, 90]],
    [1_000_000, [0, 259_200, 518_400, 777_600]],
  ])('has round times over %d s', (seconds, ticks) => {
    expect(timeTicks(seconds)).toEqual(ticks);
  });

  it('keeps the whole journey in bounded memory', () => {
    let samples: readonly Sample[] = [];
    for (let now = 0; now < 5000; now += 1) samples = addSample(samples, report({ ratePerSecond: now }), now);
    expect(samples.length).toBeLessThanOrEqual(240);
    expect(samples[0]?.at).toBe(0);
    expect(samples.at(-1)?.at).toBe(4999);
  });
});

describe('the log', () => {
  it('makes lines of whatever pieces arrive', () => {
    const log = ['time=1 level=info msg=a\ntime=2 lev', 'el=error msg=b\n', 'rest'].reduce(appendLog, EMPTY_LOG);
    expect(log.lines.map(({ number, level }) => [number, level])).toEqual([
      [1, 'other'],
      [2, 'error'],
    ]);
    expect(log.rest).toBe('rest');
  });

  it('drops the oldest lines and goes on counting', () => {
    const log = appendLog(EMPTY_LOG, 'x\n'.repeat(20_005));
    expect(log.lines).toHaveLength(20_000);
    expect(log.lines[0]?.number).toBe(6);
  });

  it('finds lines with all words', () => {
    const { lines } = appendLog(EMPTY_LOG, 'Restored Pod a\nrestored service b\n');
    expect(searchLog(lines, 'RESTORED b').map(({ text }) => text)).toEqual(['restored service b']);
  });
});

it.each([
  ['time="2026-01-01T10:00:00Z" level=info msg="item created" name=a', '10:00  item created  name=a'],
  ['time="2026-01-01T10:00:00Z" level=error msg="said \\"no\\""', '10:00  error  said "no"'],
  ['no such form', 'no such form'],
])('shows the log line %s for people', (text, shown) => {
  expect(readable(text, (time) => time.slice(11, 16))).toBe(shown);
});
