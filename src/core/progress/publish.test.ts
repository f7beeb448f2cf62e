import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exact } from './measure.ts';
import { publishDecision, type LastWrite } from './publish.ts';
import type { Report } from './report.ts';

const T = 1_000_000;
// The law's own numbers: a change within a second, and no write more often.
const SECOND = 1000;
const TEN_SECONDS = 10_000;
const ref = { apiVersion: 'velero.io/v1', kind: 'PodVolumeBackup', namespace: 'velero', name: 'v' };
const report: Report = {
  state: 'running',
  percent: 20,
  measures: [
    { unit: 'items', done: 1, total: exact(5) },
    { unit: 'bytes', done: 1, total: { kind: 'unknown' } },
  ],
  stalled: { sinceSeconds: 120, cause: 'c', hint: 'h' },
  counts: { created: 1, updated: 0, skipped: 0, failed: 0 },
  children: [{ ref, report: { state: 'running', measures: [], children: [] } }],
};
const last: LastWrite = { at: T, report };
const child = (change: Partial<Report>): Report => ({
  ...report,
  children: [{ ref, report: { state: 'running', measures: [], children: [], ...change } }],
});

describe('publishDecision', () => {
  it('sends the first report and every change of state at once', () => {
    expect(publishDecision(undefined, report, T)).toEqual({ kind: 'now' });
    expect(publishDecision(last, { ...report, state: 'failed' }, T + 1)).toEqual({ kind: 'now' });
  });

  it('sends a new step and a new wait like any other change', () => {
    const pipeline = [{ name: 'Backup', message: 'Running' }];
    const waits = [{ cause: 'a pod', since: '2026-01-01T00:00:00Z' }];
    expect(publishDecision(last, { ...report, pipeline }, T + 1)).toEqual({ kind: 'at', time: T + SECOND });
    expect(publishDecision(last, { ...report, waits }, T + SECOND)).toEqual({ kind: 'now' });
    const waiting: LastWrite = { at: T, report: { ...report, waits } };
    expect(publishDecision(waiting, { ...report, waits: [...waits] }, T + SECOND)).toEqual({ kind: 'nothing' });
  });

  it('sends nothing when nothing changed, and nothing after the end', () => {
    expect(publishDecision(last, structuredClone(report), T + 60_000)).toEqual({ kind: 'nothing' });
    const ended: LastWrite = { at: T, report: { ...report, state: 'completed', percent: 100 } };
    expect(publishDecision(ended, { ...ended.report, percent: 50 }, T + 5000)).toEqual({ kind: 'nothing' });
  });

  it.each<[string, Report]>([
    ['percent', { ...report, percent: 21 }],
    ['a count', { ...report, measures: [{ unit: 'items', done: 2, total: exact(5) }] }],
    ['the stage', { ...report, stage: 'volumes' }],
    ['the cause of a stall', { ...report, stalled: { sinceSeconds: 120, cause: 'other', hint: 'h' } }],
    ['an outcome', { ...report, counts: { created: 0, updated: 0, skipped: 1, failed: 0 } }],
    ['a child', child({ percent: 3 })],
  ])('sends a change of %s a second after the last write', (_what, changed) => {
    expect(publishDecision(last, changed, T + 1)).toEqual({ kind: 'at', time: T + SECOND });
    expect(publishDecision(last, changed, T + SECOND)).toEqual({ kind: 'now' });
  });

  it.each<[string, Report]>([
    ['the rate', { ...report, ratePerSecond: 3 }],
    ['the ETA', { ...report, etaSeconds: 3 }],
    ['the age of a stall', { ...report, stalled: { sinceSeconds: 121, cause: 'c', hint: 'h' } }],
    ["a child's rate", child({ ratePerSecond: 1 })],
  ])('sends a change of %s alone less often', (_what, changed) => {
    expect(publishDecision(last, changed, T + 1)).toEqual({ kind: 'at', time: T + TEN_SECONDS });
    expect(publishDecision(last, changed, T + TEN_SECONDS)).toEqual({ kind: 'now' });
  });

  it('is not silenced by a clock that was set back', () => {
    expect(publishDecision(last, { ...report, percent: 21 }, T - 3_600_000)).toEqual({ kind: 'now' });
  });
});

/** The simplest possible publisher: decides at every change and when it was told to. */
function publish(changes: readonly { at: number; report: Report }[]): LastWrite[] {
  const writes: LastWrite[] = [];
  const ask = (newest: Report, now: number): number | undefined => {
    const decision = publishDecision(writes.at(-1), newest, now);
    if (decision.kind === 'now') writes.push({ at: now, report: newest });
    return decision.kind === 'at' ? decision.time : undefined;
  };
  changes.forEach(({ at, report: newest }, index) => {
    const due = ask(newest, at);
    const next = changes[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (due !== undefined && due < next) ask(newest, due);
  });
  return writes;
}

describe('laws 4 and 5', () => {
  const changes = fc
    .array(fc.record({ gap: fc.nat(3000), percent: fc.nat(99), rate: fc.nat(3) }), { minLength: 1 })
    .map((steps) => {
      let at = T;
      return steps.map(({ gap, percent, rate }) => {
        at += gap;
        return { at, report: { ...report, percent, ratePerSecond: rate } };
      });
    });

  it('progress-only writes are at least a second apart', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const writes = publish(list);
        writes.slice(1).forEach((write, index) => {
          expect(write.at - Number(writes[index]?.at)).toBeGreaterThanOrEqual(SECOND);
        });
      }),
    );
  });

  it('a second after any change, status shows it or something newer', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const writes = publish(list);
        for (const change of list) {
          const deadline = change.at + SECOND;
          const shown = writes.findLast((write) => write.at <= deadline)?.report.percent;
          const allowed = list.filter(({ at }) => at >= change.at && at <= deadline).map((c) => c.report.percent);
          expect(allowed).toContain(shown);
        }
      }),
    );
  });

  it('the terminal report is one write, at once, and the last one', () => {
    fc.assert(
      fc.property(changes, fc.nat(2000), fc.boolean(), (list, gap, isLate) => {
        const end = {
          at: Number(list.at(-1)?.at) + gap,
          report: { ...report, state: 'completed', percent: 100 } as const,
        };
        const late = { at: end.at + 5000, report: { ...end.report, percent: 7 } };
        const writes = publish([...list, end, ...(isLate ? [late] : [])]);
        expect(writes.at(-1)).toEqual(end);
        expect(writes.filter((write) => write.report.state === 'completed')).toHaveLength(1);
      }),
    );
  });
});
