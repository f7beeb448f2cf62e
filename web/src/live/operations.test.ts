import { describe, expect, it } from 'vitest';
import type { Operation, OperationsAnswer } from '../../../src/core/operations/index.ts';
import type { Report } from '../../../src/core/progress/index.ts';
import { applyEvents, NO_OPERATIONS, type OperationsEvent } from './operations.ts';

function operation(name: string, report: Partial<Report> = {}, uid = 'u1'): Operation {
  return {
    id: name,
    cluster: 'demo',
    noun: 'backup',
    ref: { apiVersion: 'velero.io/v1', kind: 'Backup', namespace: 'velero', name, uid },
    phase: 'InProgress',
    report: { state: 'running', measures: [], children: [], ...report },
    createdAt: '2026-11-16T01:00:00Z',
    facts: {},
    problems: [],
    errors: 0,
    warnings: 0,
  };
}

function answer(operations: Operation[], next?: string): OperationsAnswer {
  const counts = { pending: 0, running: 0, completed: 0, partiallyFailed: 0, failed: 0, canceled: 0, stalled: 0 };
  return { operations, total: operations.length, counts, ...(next === undefined ? {} : { continue: next }) };
}

const ids = (events: OperationsEvent[], from = NO_OPERATIONS): string[] => [...applyEvents(from, events).byId.keys()];
const changed = (each: Operation): OperationsEvent => ({ type: 'operation', operation: each });

describe('applyEvents', () => {
  it('replaces everything with a whole snapshot', () => {
    const before = applyEvents(NO_OPERATIONS, [changed(operation('old'))]);
    expect(ids([{ type: 'snapshot', answer: answer([operation('new')]) }], before)).toEqual(['new']);
  });

  it('keeps what it has until the last page of a snapshot has come', () => {
    const before = applyEvents(NO_OPERATIONS, [changed(operation('old')), changed(operation('kept'))]);
    const first = applyEvents(before, [{ type: 'snapshot', answer: answer([operation('a')], '1') }]);
    expect([...first.byId.keys()].toSorted()).toEqual(['a', 'kept', 'old']);
    const last = applyEvents(first, [{ type: 'page', answer: answer([operation('kept')]) }]);
    expect([...last.byId.keys()].toSorted()).toEqual(['a', 'kept']);
  });

  it('believes an event that came during the snapshot more than a page', () => {
    const events: OperationsEvent[] = [
      { type: 'snapshot', answer: answer([], '1') },
      changed(operation('a', { state: 'completed', percent: 100 })),
      { type: 'removed', id: 'b' },
      { type: 'page', answer: answer([operation('a', { percent: 5 }), operation('b')]) },
    ];
    const { byId } = applyEvents(NO_OPERATIONS, events);
    expect(byId.get('a')?.report.state).toBe('completed');
    expect(byId.has('b')).toBe(false);
  });

  it('never lets the percent of a running operation fall', () => {
    const percent = (...reports: Partial<Report>[]): number | undefined =>
      applyEvents(
        NO_OPERATIONS,
        reports.map((report) => changed(operation('a', report))),
      ).byId.get('a')?.report.percent;
    expect(percent({ percent: 68 }, { percent: 60 })).toBe(68);
    expect(percent({ percent: 68 }, {})).toBe(68);
    expect(percent({ percent: 68 }, { percent: 70 })).toBe(70);
    expect(percent({ percent: 68 }, { state: 'failed', percent: 60 })).toBe(60);
  });

  it('shows the percent of a new object of the same name as it is', () => {
    const events = [changed(operation('a', { percent: 68 })), changed(operation('a', { percent: 3 }, 'u2'))];
    expect(applyEvents(NO_OPERATIONS, events).byId.get('a')?.report.percent).toBe(3);
  });
});
