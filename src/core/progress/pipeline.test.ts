import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakOff,
  changeItinerary,
  completePipeline,
  enterPhase,
  phasePosition,
  pipelinePercent,
  planSteps,
  setLines,
  stepState,
  type PlannedPhase,
  type Step,
} from './index.ts';

const phase = (step: string, name: string): PlannedPhase => ({ step, name });
const FINAL = [
  phase('Prepare', 'Created'),
  phase('Prepare', 'Started'),
  phase('Backup', 'EnsureInitialBackup'),
  phase('Backup', 'InitialBackupCreated'),
  phase('StageBackup', 'StageBackupCreated'),
  phase('StageRestore', 'StageRestoreCreated'),
  phase('Restore', 'FinalRestoreCreated'),
  phase('Cleanup', 'Verification'),
];
const FAILED = [phase('CleanupHelpers', 'EnsureStagePodsDeleted'), phase('Cleanup', 'EnsureAnnotationsDeleted')];
const at = (n: number): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`;
const states = (steps: readonly Step[]): Record<string, string> =>
  Object.fromEntries(steps.map((step) => [step.name, stepState(step)]));
const reach = (name: string): Step[] => {
  const until = FINAL.slice(0, FINAL.findIndex((entry) => entry.name === name) + 1);
  return until.reduce((steps, entry, index) => enterPhase(steps, entry, at(index), entry.name), planSteps(FINAL));
};

describe('a journey without issues (seed 000, scenario 1)', () => {
  it('plans each step once, in order, not started', () => {
    expect(planSteps(FINAL).map((step) => step.name)).toEqual([
      'Prepare',
      'Backup',
      'StageBackup',
      'StageRestore',
      'Restore',
      'Cleanup',
    ]);
    expect(planSteps(FINAL)[0]).toEqual({ name: 'Prepare', message: 'Not started' });
  });

  it('walks from step to step', () => {
    const steps = setLines(reach('InitialBackupCreated'), ['Backup velero/m1: 6 out of estimated total of 9 objects']);
    expect(steps.slice(0, 3)).toEqual([
      { name: 'Prepare', message: 'Completed', started: at(0), completed: at(2) },
      {
        name: 'Backup',
        message: 'InitialBackupCreated',
        started: at(2),
        phase: 'InitialBackupCreated',
        progress: ['Backup velero/m1: 6 out of estimated total of 9 objects'],
      },
      { name: 'StageBackup', message: 'Not started' },
    ]);
    const done = completePipeline(reach('Verification'), at(30));
    expect(new Set(done.map(stepState))).toEqual(new Set(['Completed']));
    expect(pipelinePercent(done, FINAL)).toBe(100);
    expect(phasePosition(done, FINAL)).toBe(8);
  });

  it('keeps the lines of a step that is over', () => {
    const steps = enterPhase(setLines(reach('StageBackupCreated'), ['one']), phase('StageRestore', 'x'), at(9), '');
    expect(steps[2]).toMatchObject({ message: 'Completed', progress: ['one'] });
  });
});

describe('a journey that breaks off (seed 000, scenario 2)', () => {
  const failed = changeItinerary(breakOff(reach('StageBackupCreated'), at(5), 'Failed'), FAILED);

  it('fails the running step with its phase, skips the rest and cleans up', () => {
    expect(failed[2]).toEqual({
      name: 'StageBackup',
      message: 'Failed',
      started: at(4),
      completed: at(5),
      phase: 'StageBackupCreated',
      failed: true,
    });
    expect(states(failed)).toEqual({
      Prepare: 'Completed',
      Backup: 'Completed',
      StageBackup: 'Failed',
      StageRestore: 'Skipped',
      Restore: 'Skipped',
      CleanupHelpers: 'Not started',
      Cleanup: 'Not started',
    });
    expect(failed.map((step) => step.name).slice(-2)).toEqual(['CleanupHelpers', 'Cleanup']);
    const cleaned = completePipeline(
      FAILED.reduce((steps, entry) => enterPhase(steps, entry, at(6), ''), failed),
      at(7),
    );
    expect(states(cleaned)).toMatchObject({ StageBackup: 'Failed', CleanupHelpers: 'Completed', Cleanup: 'Completed' });
  });

  it('gives no new percent any more', () => {
    expect(pipelinePercent(reach('StageBackupCreated'), FINAL, 50)).toBe(56);
    expect(pipelinePercent(breakOff(reach('Verification'), at(9), 'Failed'), FINAL)).toBeUndefined();
    expect(pipelinePercent(failed, FAILED)).toBeUndefined();
    const skipped: Step[] = [{ name: 'a', message: 'Skipped', skipped: true }];
    expect(pipelinePercent(skipped, [phase('a', 'x')])).toBeUndefined();
  });

  it('says Canceled where it was canceled, and can change itinerary again', () => {
    const canceled = breakOff(reach('EnsureInitialBackup'), at(5), 'Canceled');
    expect(canceled[1]).toMatchObject({ message: 'Canceled', canceled: true, phase: 'EnsureInitialBackup' });
    expect(canceled[1]).not.toHaveProperty('failed');
    expect(pipelinePercent(canceled, FINAL)).toBeUndefined();
    const again = changeItinerary(changeItinerary(canceled, []), [phase('Cleanup', 'Canceling')]);
    expect(states(again)).toMatchObject({ Backup: 'Canceled', Restore: 'Skipped', Cleanup: 'Not started' });
    const cleaning = enterPhase(changeItinerary(canceled, []), phase('Backup', 'DeleteBackups'), at(9), 'x');
    expect(cleaning[1]).toMatchObject({ message: 'Canceled', canceled: true });
  });

  it('leaves a failed step failed when cleaning up belongs to it, and runs a completed one again', () => {
    const inCleanup = breakOff(reach('Verification'), at(8), 'Failed');
    const cleaning = enterPhase(changeItinerary(inCleanup, FAILED), FAILED[1] ?? phase('', ''), at(9), 'x');
    expect(cleaning.find((step) => step.name === 'Cleanup')).toMatchObject({ message: 'Failed', failed: true });
    const again = enterPhase(completePipeline(reach('Created'), at(1)), phase('Prepare', 'Started'), at(2), 'again');
    expect(again[0]).toEqual({ name: 'Prepare', message: 'again', started: at(0), phase: 'Started' });
  });
});

describe('a step as others write it', () => {
  const step = (fields: Partial<Step>): Step => ({ name: 'Backup', message: '', ...fields });
  it.each<[Partial<Step>, string]>([
    [{ message: 'Not started' }, 'Not started'],
    [{ started: at(0) }, 'Running'],
    [{ started: at(0), completed: at(1), message: 'Completed' }, 'Completed'],
    [{ started: at(0), completed: at(1), failed: true }, 'Failed'],
    [{ started: at(0), completed: at(1), canceled: true }, 'Canceled'],
    // MTC's definitions do not know the field.
    [{ started: at(0), completed: at(1), message: 'Canceled' }, 'Canceled'],
    [{ started: at(0), message: 'Canceled' }, 'Running'],
    [{ skipped: true, message: 'Skipped' }, 'Skipped'],
    [{ skipped: true, started: at(0) }, 'Skipped'],
    // MTC, of a cleanup that ran after a cancel.
    [{ started: at(0), completed: at(1), skipped: true, message: 'Skipped' }, 'Completed'],
    [{ started: at(0), completed: at(1), failed: true, skipped: true }, 'Failed'],
  ])('%j is %s', (fields, state) => {
    expect(stepState(step(fields))).toBe(state);
  });
});

describe('position and percent', () => {
  it('counts phases from 1 and is 0 before the first', () => {
    expect(phasePosition(planSteps(FINAL), FINAL)).toBe(0);
    expect(phasePosition(reach('StageBackupCreated'), FINAL)).toBe(5);
    expect(phasePosition([{ name: 'a', message: '', started: at(0), phase: 'gone' }], FINAL)).toBe(0);
  });

  it('is the mean over the phases that will run', () => {
    expect(pipelinePercent(planSteps(FINAL), FINAL)).toBe(0);
    expect(pipelinePercent(reach('Started'), FINAL)).toBe(12);
    expect(pipelinePercent(reach('Started'), FINAL, 100)).toBe(25);
    expect(pipelinePercent([], [])).toBeUndefined();
  });
});

describe('mistakes in an itinerary', () => {
  it('names a step that comes back, a phase that comes twice and a step that is not planned', () => {
    const a = phase('a', 'one');
    expect(() => planSteps([a, phase('b', 'two'), phase('a', 'three')])).toThrow(/step a with phase three/);
    expect(() => planSteps([a, a])).toThrow(/phase one twice/);
    expect(() => enterPhase(planSteps([a]), phase('c', 'x'), at(0), '')).toThrow(/phase x belongs to step c/);
  });
});

it('law 10 and the invariants hold wherever a journey fails: one step runs, percents rise, skipped never started', () => {
  const itinerary = fc
    .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 })
    .map((sizes) =>
      sizes.flatMap((size, s) =>
        Array.from({ length: size }, (_v, p) => phase(`s${String(s)}`, `${String(s)}.${String(p)}`)),
      ),
    );
  fc.assert(
    fc.property(itinerary, fc.nat(), fc.nat(100), (phases, failAt, inner) => {
      let steps = planSteps(phases);
      let percent = 0;
      const reached = phases.slice(0, (failAt % phases.length) + 1);
      for (const entry of reached) {
        steps = enterPhase(steps, entry, at(1), '');
        expect(steps.filter((step) => stepState(step) === 'Running').map((step) => step.phase)).toEqual([entry.name]);
        const now = Number(pipelinePercent(steps, phases, inner));
        expect(now).toBeGreaterThanOrEqual(percent);
        percent = now;
      }
      expect(percent).toBe(Math.floor(((reached.length - 1) * 100 + inner) / phases.length));
      const ended = changeItinerary(breakOff(steps, at(2), 'Failed'), FAILED);
      expect(ended.filter((step) => step.failed)).toHaveLength(1);
      for (const step of ended) expect(step.skipped === true && step.started !== undefined).toBe(false);
    }),
  );
});
