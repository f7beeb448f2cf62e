import { describe, expect, it } from 'vitest';
import type { Stage } from '../../api/index.ts';
import { exact, type Report } from '../../core/progress/index.ts';
import { afterFailure, afterLeaving, nextAttempt, recoveryFields, recoveryOf, type Recovery } from './recovery.ts';

const NEW = recoveryOf({});
const told = (stage: Stage, done: number): Report => ({
  state: 'running',
  stage,
  measures: [{ unit: 'items', done, total: exact(100) }],
  children: [],
});

/** Starts again and again; each attempt gets as far as told before its process dies. */
function afterDeaths(reached: readonly (Report | undefined)[]): ReturnType<typeof nextAttempt> {
  let before = NEW;
  let last = nextAttempt(before, undefined, 'backup');
  for (const report of reached) {
    if (last.kind === 'giveUp') return last;
    // As the next process reads it from status.
    before = recoveryOf(recoveryFields(last.recovery));
    last = nextAttempt(before, report, 'backup');
  }
  return last;
}

describe('an operation that its process does not survive', () => {
  it('is set aside when it ended three processes at the same place', () => {
    const at = told('archiving', 4000);
    expect(afterDeaths([at, at]).kind).toBe('begin');
    const third = afterDeaths([at, at, at]);
    expect(third).toMatchObject({ kind: 'giveUp' });
    expect(third.kind === 'giveUp' && third.reason).toContain('3 times during this backup');
    expect(afterDeaths([undefined, undefined, undefined]).kind).toBe('giveUp');
  });

  it('goes on as long as every attempt gets further, in its stage or to another one', () => {
    const further = [1, 2, 3, 4, 5, 6].map((items) => told('archiving', items));
    expect(afterDeaths(further)).toMatchObject({ kind: 'begin', recovery: { attempt: 7, lost: 1 } });
    const stages = (['listing', 'archiving', 'uploading', 'finalizing'] as const).map((stage) => told(stage, 0));
    expect(afterDeaths(stages).kind).toBe('begin');
  });

  it('is not saved by falling back: only more than ever before counts', () => {
    const reached = [told('archiving', 50), told('listing', 1), told('archiving', 49)];
    expect(afterDeaths(reached).kind).toBe('giveUp');
  });

  it('is not blamed for a process that left in peace', () => {
    let recovery: Recovery = NEW;
    for (let restart = 0; restart < 20; restart += 1) {
      const next = nextAttempt(recovery, told('archiving', 5), 'backup');
      expect(next.kind).toBe('begin');
      if (next.kind === 'begin') recovery = recoveryOf(recoveryFields(afterLeaving(next.recovery)));
    }
    expect(recovery.lost).toBe(0);
  });
});

describe('an operation that cannot be worked on', () => {
  it('is given up after ten attempts, with the last reason', () => {
    let recovery: Recovery = NEW;
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const next = nextAttempt(recovery, undefined, 'restore');
      expect(next.kind).toBe('begin');
      if (next.kind === 'begin') recovery = recoveryOf(recoveryFields(afterFailure(next.recovery, 'ENOSPC')));
    }
    expect(nextAttempt(recovery, undefined, 'restore')).toEqual({
      kind: 'giveUp',
      reason: 'the restore could not be worked on, 10 times in a row: ENOSPC',
    });
  });

  it('is not given up for failures before it got further', () => {
    const before = { ...NEW, attempt: 9, failed: 9, error: 'ENOSPC', furthest: { stage: 'listing', done: 3 } };
    const next = nextAttempt(before, told('archiving', 1), 'backup');
    expect(next).toMatchObject({ kind: 'begin', recovery: { failed: 0 } });
  });
});

it('reads whatever stands in status', () => {
  const status = { attempt: 'x', recovery: { lost: -1, failed: 'many', stage: 7, open: 'yes' } };
  expect(recoveryOf(status)).toEqual({ ...NEW, attempt: 0 });
  expect(recoveryFields(NEW)).toEqual({ attempt: 0, recovery: null });
});
