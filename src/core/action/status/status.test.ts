import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manifests } from '../../../../test/manifests.ts';
import { ActionSet } from '../../../api/index.ts';
import { begunStatus, initialStatus, refusedStatus, unfitStatus } from './begin.ts';
import { finishedStatus, phaseBegan, phaseCompleted, phaseFailed, phaseProgressed } from './change.ts';
import { hundredths, mean, parsePercent, percentText, thirds } from './percent.ts';
import { setProgress } from './progress.ts';
import { nextSteps } from './steps.ts';
import type { ActionSetStatus, PhaseRef } from './types.ts';

const EXAMPLE = manifests('test/fixtures/seeds').find(({ file }) => file.endsWith('001-action-set.yaml'))!.object;
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const phases = (...names: string[]) => names.map((name) => ({ name, func: 'KubeTask' }));
const ref = (action: number, phase: number | 'defer'): PhaseRef => ({ action, phase });
const artifacts = () => ({});

function begun(actions: { phases: string[]; deferPhase?: string }[]): ActionSetStatus {
  const given = actions.map(({ phases: names, deferPhase }, index) => ({
    spec: { name: `a${index}`, blueprint: 'b' },
    action: { phases: phases(...names), ...(deferPhase === undefined ? {} : { deferPhase: { name: deferPhase } }) },
  }));
  return begunStatus(initialStatus(given), at(0));
}

describe('percents', () => {
  it('have two decimals that are cut off', () => {
    expect([mean([10_000, 3000, 0]), mean([])]).toEqual([4333, undefined]);
    expect([4333, 0, 10_000, 5].map(percentText)).toEqual(['43.33', '0.00', '100.00', '0.05']);
    expect(([0, 1, 2, 3] as const).map((done) => percentText(thirds(done)))).toEqual([
      '0.00',
      '33.33',
      '66.66',
      '100.00',
    ]);
    expect(['30', '30.00', '59.25', '', undefined, 'x', '-5', '400'].map(parsePercent)).toEqual([
      3000, 3000, 5925, 0, 0, 0, 0, 10_000,
    ]);
    expect([hundredths(12.1), hundredths(0.29), hundredths(NaN)]).toEqual([1210, 29, 0]);
  });

  // kanister.md, appendix A: two actions of two phases each.
  it('are those of upstream, with decimals', () => {
    let status = begun([{ phases: ['p0', 'p1'] }, { phases: ['p2', 'p3'] }]);
    const seen: (string | undefined)[] = [];
    const note = (next: ActionSetStatus) => {
      status = next;
      seen.push(status.progress?.percentCompleted);
    };
    const report = (where: PhaseRef, percent: number, sizes: object = {}) =>
      phaseProgressed(status, where, { stats: { percent: percent * 100, ...sizes }, now: at(1) });
    const done = (where: PhaseRef) => phaseCompleted(status, where, { output: {}, now: at(2) });
    status = phaseBegan(status, ref(0, 0), at(1));
    note(report(ref(0, 0), 40, { sizeUploadedB: 2345, estimatedUploadSizeB: 12_345 }));
    expect(status.progress).toMatchObject({ sizeUploadedB: 2345, estimatedUploadSizeB: 12_345 });
    status = report(ref(0, 0), 99, { sizeUploadedB: 12_345 });
    note(done(ref(0, 0)));
    note(report(ref(0, 1), 0));
    expect(status.actions?.[0]?.phases?.[1]).toEqual({ name: 'p1', state: 'pending' });
    status = phaseBegan(status, ref(0, 1), at(3));
    note(report(ref(0, 1), 60, { sizeDownloadedB: 1000, estimatedDownloadSizeB: 10_000 }));
    note(done(ref(0, 1)));
    status = phaseBegan(status, ref(1, 0), at(4));
    note(report(ref(1, 0), 37, { sizeUploadedB: 1000, estimatedUploadSizeB: 10_000 }));
    expect(status.progress).toMatchObject({
      sizeUploadedB: 13_345,
      estimatedUploadSizeB: 22_345,
      sizeDownloadedB: 1000,
    });
    note(done(ref(1, 0)));
    expect(seen).toEqual(['10.00', '25.00', '25.00', '40.00', '50.00', '59.25', '75.00']);
  });
});

describe('the status of an ActionSet', () => {
  it("is the seed's, to the letter, when a run is held in its second phase", () => {
    const example = ActionSet.parse(structuredClone(EXAMPLE)).value.status;
    const names = example.actions![0]!.phases!.map(({ name }) => name!);
    let status = phaseBegan(begun([{ phases: names }]), ref(0, 0), at(1));
    status = phaseCompleted(status, ref(0, 0), { output: {}, now: at(2) });
    status = phaseBegan(status, ref(0, 1), at(3));
    const stats = {
      percent: 3000,
      sizeUploadedB: 50_000,
      estimatedUploadSizeB: 100_000_000,
      estimatedTimeSeconds: 120,
    };
    status = phaseProgressed(status, ref(0, 1), { stats, now: at(4) });
    expect(status.progress).toMatchObject({
      percentCompleted: '43.33',
      runningPhase: 'dumpToObjectStore',
      percent: 43,
    });
    expect(status.state).toBe('running');
    const shown = status.actions![0]!.phases!.map(({ name, state, progress }) => [
      name,
      state,
      progress?.progressPercent,
    ]);
    expect(shown).toEqual([
      ['updatePermissions', 'complete', '100.00'],
      ['dumpToObjectStore', 'running', '30.00'],
      ['cleanup', 'pending', undefined],
    ]);
    expect(status.actions![0]!.phases![1]!.progress).toEqual({
      ...example.actions![0]!.phases![1]!.progress,
      lastTransitionTime: at(4),
    });
    // The same number again moves no time.
    const again = phaseProgressed(status, ref(0, 1), { stats, now: at(9) });
    expect(again).toEqual(status);
  });

  it('reads what the seed wrote, and goes on from it', () => {
    const status = ActionSet.parse(structuredClone(EXAMPLE)).value.status;
    expect(nextSteps(status)).toEqual([{ kind: 'attend', ref: ref(0, 1) }]);
    expect(setProgress(status, at(0))).toMatchObject({ percentCompleted: '43.33', runningPhase: 'dumpToObjectStore' });
  });

  it('runs phases in order, actions beside each other, and deferPhase last', () => {
    let status = begun([{ phases: ['one', 'two'], deferPhase: 'later' }, { phases: ['three'] }]);
    const steps = () =>
      nextSteps(status).map((step) =>
        step.kind === 'finish' ? 'finish' : `${step.kind} ${step.ref.action}/${step.ref.phase}`,
      );
    expect(steps()).toEqual(['start 0/0', 'start 1/0']);
    status = phaseBegan(phaseBegan(status, ref(0, 0), at(1)), ref(1, 0), at(1));
    expect(status.progress?.runningPhases).toEqual([
      { action: 'a0', phase: 'one' },
      { action: 'a1', phase: 'three' },
    ]);
    expect(steps()).toEqual(['attend 0/0', 'attend 1/0']);
    status = phaseCompleted(phaseCompleted(status, ref(0, 0), { output: { k: 'v' }, now: at(2) }), ref(1, 0), {
      output: {},
      now: at(2),
    });
    expect([steps(), status.progress?.runningPhase, status.progress?.runningPhases]).toEqual([
      ['start 0/1'],
      '',
      undefined,
    ]);
    status = phaseFailed(phaseBegan(status, ref(0, 1), at(3)), ref(0, 1), { reason: 'broken', now: at(4) });
    // Failed only when the deferPhase has run.
    expect([status.state, steps()]).toEqual(['running', ['start 0/defer']]);
    status = phaseBegan(status, ref(0, 'defer'), at(5));
    expect([steps(), status.progress?.runningPhase]).toEqual([['attend 0/defer'], 'later']);
    status = phaseCompleted(status, ref(0, 'defer'), { output: { d: 'cleaned' }, now: at(6) });
    expect(steps()).toEqual(['finish']);
    status = finishedStatus(status, { now: at(7), isCanceled: false, artifacts });
    expect(status).toMatchObject({ state: 'failed', error: { message: 'broken' }, completionTimestamp: at(7) });
    expect(status.progress).toMatchObject({ percentCompleted: '66.66', runningPhase: '' });
    expect(status.actions?.[0]).toMatchObject({
      phases: [
        { state: 'complete', output: { k: 'v' } },
        { state: 'failed', reason: 'broken' },
      ],
      deferPhase: { state: 'complete', output: { d: 'cleaned' } },
    });
    expect(steps()).toEqual([]);
  });

  it('counts no deferPhase, and shows 100 with success alone', () => {
    let status = begun([{ phases: ['one', 'two'], deferPhase: 'later' }]);
    for (const [phase, percent] of [
      [0, '50.00'],
      [1, '99.99'],
      ['defer', '99.99'],
    ] as const) {
      status = phaseCompleted(phaseBegan(status, ref(0, phase), at(1)), ref(0, phase), { output: {}, now: at(2) });
      expect(status.progress?.percentCompleted).toBe(percent);
    }
    // It told its progress while it ran; a complete one has no percent, as upstream writes it.
    const ran = phaseBegan(begun([{ phases: [], deferPhase: 'later' }]), ref(0, 'defer'), at(1));
    expect(ran.actions?.[0]?.deferPhase?.progress?.progressPercent).toBe('0.00');
    expect(status.actions?.[0]?.deferPhase).toMatchObject({
      state: 'complete',
      progress: { lastTransitionTime: at(2) },
    });
    expect(status.actions?.[0]?.deferPhase?.progress).not.toHaveProperty('progressPercent');
    status = finishedStatus(status, { now: at(3), isCanceled: false, artifacts });
    expect(status).toMatchObject({ state: 'complete', progress: { percentCompleted: '100.00', percent: 100 } });
  });

  it('renders artifacts at the end, and fails where they cannot be', () => {
    const raw = { o: { keyValue: { p: '{{ .Phases.one.Output.path }}' } } };
    const given = [0, 1].map((index) => ({
      spec: { name: `a${index}` },
      action: { phases: phases('one'), outputArtifacts: raw },
    }));
    let status = begunStatus(initialStatus(given), at(0));
    for (const action of [0, 1]) {
      status = phaseCompleted(phaseBegan(status, ref(action, 0), at(1)), ref(action, 0), { output: {}, now: at(2) });
      expect(status.actions?.[action]?.artifacts).toEqual(raw);
    }
    const rendered = { o: { keyValue: { p: '/x' } } };
    expect(finishedStatus(status, { now: at(3), isCanceled: false, artifacts: () => rendered })).toMatchObject({
      state: 'complete',
      actions: [{ artifacts: rendered }, { artifacts: rendered }],
    });
    const one = (_action: unknown, index: number) => (index === 0 ? rendered : { problem: 'no path' });
    expect(finishedStatus(status, { now: at(3), isCanceled: false, artifacts: one })).toMatchObject({
      state: 'failed',
      error: { message: 'no path' },
      actions: [{ artifacts: rendered }, { artifacts: raw }],
    });
  });

  it('ends a canceled set as failed, after its deferPhase', () => {
    let status = phaseBegan(begun([{ phases: ['one', 'two'], deferPhase: 'later' }]), ref(0, 0), at(1));
    status = phaseFailed(status, ref(0, 0), { reason: 'canceled', now: at(2) });
    expect(nextSteps(status, { isCanceled: true })).toEqual([{ kind: 'start', ref: ref(0, 'defer') }]);
    const pending = begun([{ phases: ['one'] }]);
    expect(nextSteps(pending, { isCanceled: true })).toEqual([{ kind: 'finish' }]);
    expect(finishedStatus(pending, { now: at(3), isCanceled: true, artifacts })).toMatchObject({
      state: 'failed',
      error: { message: 'canceled' },
    });
  });

  // What real Kanister wrote in such cases (compat/kanister, cases 08 and 10).
  it('is laid out as upstream does where nothing has run', () => {
    expect(refusedStatus(['Failed to query blueprint: x', 'y'], at(0))).toEqual({
      state: 'failed',
      completionTimestamp: at(0),
      error: { message: 'Failed to query blueprint: x; y' },
    });
    const laid = begun([{ phases: ['one', 'two'], deferPhase: 'later' }, { phases: ['q'] }]);
    const unfit = unfitStatus(
      laid,
      [[{ where: { phase: 'two' }, message: 'no such function', stops: 'run' }], []],
      at(1),
    );
    expect(unfit.state).toBe('failed');
    expect(unfit.error?.message).toBe('phase two: no such function');
    expect(unfit.actions?.map((action) => action.phases?.map(({ state }) => state))).toEqual([
      ['failed', 'pending'],
      ['pending'],
    ]);
    expect(unfit.actions?.[0]?.deferPhase?.state).toBe('pending');
  });

  it('completes without phases, and claims no percent of nothing', () => {
    const status = begun([{ phases: [] }]);
    expect(nextSteps(status)).toEqual([{ kind: 'finish' }]);
    const ended = finishedStatus(status, { now: at(1), isCanceled: false, artifacts });
    expect(ended).toMatchObject({ state: 'complete', progress: { runningPhase: '', percent: 100 } });
    expect(ended.progress).not.toHaveProperty('percentCompleted');
  });

  it('counts attempts, and never falls when one starts over', () => {
    let status = phaseBegan(begun([{ phases: ['one'] }]), ref(0, 0), at(1));
    status = phaseProgressed(status, ref(0, 0), { stats: { percent: 6666 }, now: at(2) });
    status = phaseBegan(status, ref(0, 0), at(3));
    status = phaseProgressed(status, ref(0, 0), { stats: { percent: 3333 }, now: at(4) });
    expect(status.actions?.[0]?.phases?.[0]).toMatchObject({
      attempt: 2,
      startTimestamp: at(1),
      progress: { progressPercent: '66.66' },
    });
  });
});

type Event = { kind: 'start' | 'progress' | 'complete' | 'fail'; which: number; percent: number };
const EVENTS = fc.array(
  fc.record({
    kind: fc.constantFrom('start' as const, 'progress' as const, 'complete' as const, 'fail' as const),
    which: fc.nat(7),
    percent: fc.integer({ min: -100, max: 12_000 }),
  }),
  { maxLength: 60 },
);
const SHAPE = fc.array(fc.record({ count: fc.nat(4), hasDefer: fc.boolean() }), { minLength: 1, maxLength: 3 });

/** One thing happens to one of the phases that are next, as an engine would let it. */
function happen(status: ActionSetStatus, { kind, which, percent }: Event, second: number): ActionSetStatus {
  const steps = nextSteps(status);
  const step = steps[which % Math.max(1, steps.length)];
  if (step === undefined || step.kind === 'finish') return status;
  if (step.kind === 'start') return phaseBegan(status, step.ref, at(second));
  if (kind === 'complete') return phaseCompleted(status, step.ref, { output: { k: 'v' }, now: at(second) });
  if (kind === 'fail') return phaseFailed(status, step.ref, { reason: 'broken', now: at(second) });
  return phaseProgressed(status, step.ref, { stats: { percent: Math.max(0, percent) }, now: at(second) });
}

function statesOf({ actions = [] }: ActionSetStatus): (string | undefined)[] {
  return actions.flatMap((action) => [...(action.phases ?? []), action.deferPhase].map((phase) => phase?.state));
}

/** What holds at every moment of a run. */
function checkRunning(status: ActionSetStatus, last: number): number {
  const percent = parsePercent(status.progress?.percentCompleted);
  expect(percent).toBeGreaterThanOrEqual(last);
  expect(percent).toBeLessThan(10_000);
  const running = statesOf(status).filter((state) => state === 'running').length;
  expect(status.progress?.runningPhases?.length ?? 0).toBe(running);
  expect(status.progress?.runningPhase).toBe(status.progress?.runningPhases?.[0]?.phase ?? '');
  for (const { phases: list = [] } of status.actions!) {
    // What follows a phase that is not complete has not begun.
    const open = list.findIndex(({ state }) => state !== 'complete');
    expect(list.slice(open < 0 ? list.length : open + 1).every(({ state }) => state === 'pending')).toBe(true);
  }
  expect(ActionSet.parse({ metadata: { name: 'x' }, status }).dropped).toEqual([]);
  return percent;
}

function checkEnd(status: ActionSetStatus): void {
  const hasFailed = statesOf(status).includes('failed');
  const ended = finishedStatus(status, { now: at(99), isCanceled: false, artifacts });
  expect(ended.state).toBe(hasFailed ? 'failed' : 'complete');
  const shown = ended.progress?.percentCompleted;
  if (hasFailed) expect(parsePercent(shown)).toBeLessThan(10_000);
  else if (shown !== undefined) expect(shown).toBe('100.00');
}

describe('laws', () => {
  it('hold for every set and whatever happens to it', () => {
    fc.assert(
      fc.property(SHAPE, EVENTS, (shape, events) => {
        let status = begun(
          shape.map(({ count, hasDefer }) => ({
            phases: Array.from({ length: count }, (_, index) => `p${index}`),
            ...(hasDefer ? { deferPhase: 'later' } : {}),
          })),
        );
        let last = 0;
        for (const [second, event] of events.entries()) {
          status = happen(status, event, second);
          last = checkRunning(status, last);
        }
        if (nextSteps(status)[0]?.kind === 'finish') checkEnd(status);
      }),
    );
  });
});
