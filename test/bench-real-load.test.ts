import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Percents } from '../bench/backup-restore-percents.ts';
import { continueOf } from '../bench/real-load/list-plan.ts';
import {
  WITHOUT_SERVICES,
  type Measured,
  type MeasuredBackup,
  type MeasuredRestore,
  type Round,
} from '../bench/real-load/measured.ts';
import { printMeasured } from '../bench/real-load/print.ts';

let printed = '';
beforeEach(() => {
  printed = '';
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    printed += `${line}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

function round(more: Partial<Round> = {}): Round {
  const percents = Object.assign(new Percents(0), { firstSeconds: 1, firstAboveSeconds: 1.5 });
  return { bareSeconds: 1, seconds: 1, bareCpu: 1, cpu: 1, percents, items: 100, created: 0, peakMb: 199, ...more };
}

function backup(more: Partial<MeasuredBackup> = {}, rounds: Round[] = [round({ seconds: 2 })]): MeasuredBackup {
  const bare = { requests: 5, megabytes: 3, objects: 100, least: 100, most: 100 };
  return { name: 'all', rounds, bare, hasLabels: false, ...more };
}

function restore(more: Partial<MeasuredRestore> = {}, rounds = [round({ created: 100 })]): MeasuredRestore {
  return {
    name: 'into new namespaces',
    rounds,
    bare: { 'POST 201': 100, 'PATCH 200': 3 },
    isNew: true,
    wanted: 0.9,
    ...more,
  };
}

const size = (more: Partial<Measured> = {}): Measured => ({
  ...{ size: 'small', objects: 100, maxMb: 200, veleroSeconds: {} },
  ...{ backups: [backup()], restores: [restore()], ...more },
});

const percents = (more: Partial<Percents>): Percents =>
  Object.assign(new Percents(0), { firstSeconds: 1, falls: 0, unknowns: 0 }, more);

describe('what real-load has measured', () => {
  it('is met, if everything is', () => {
    expect(printMeasured([size()])).toBe(true);
    expect(printed).not.toContain('MISSED');
    expect(printed).toContain('growth: not measured');
  });

  it.each<[string, Partial<Measured>]>([
    ['memory', { backups: [backup({}, [round({ peakMb: 201 }), round()])] }],
    ['memory', { restores: [restore({}, [round({ created: 100, peakMb: 201 })])] }],
    ['memory', { backups: [backup({}, [round({ peakMb: NaN })])] }],
    ['backup of all', { backups: [backup({}, [round({ seconds: 3.1 })])] }],
    ['backup of all', { backups: [backup({}, [])] }],
    ['a backup of all with what is selected', { backups: [backup({}, [round({ items: 98 })])] }],
    ['a backup of all with what is selected', { backups: [backup({}, [round(), round({ items: 102 })])] }],
    ['first percent', { backups: [backup({}, [round({ percents: percents({ firstSeconds: 2.1 }) })])] }],
    ['first percent', { backups: [backup({}, [round({ percents: percents({ unknowns: 1 }) })])] }],
    ['first percent', { backups: [backup({}, [round({ seconds: 2.9, percents: new Percents(0) })])] }],
    ['a percent that fell, backup', { backups: [backup({}, [round({ percents: percents({ falls: 1 }) })])] }],
    ['restore into', { restores: [restore({}, [round({ created: 100, seconds: 1.2 })])] }],
    ['restore into', { restores: [restore({}, [])] }],
    ['of what the loop has', { restores: [restore({}, [round({ created: 99 })])] }],
    ['of what the loop has', { restores: [restore({}, [round({ items: 99, created: 99 })])] }],
    ['of what the loop has', { restores: [restore({ isNew: false })] }],
    ['of what the loop has', { restores: [restore({ bare: { 'POST 201': 100, 'POST 409': 1 } })] }],
  ])('is not met: %s', (what, more) => {
    expect(printMeasured([size(more)])).toBe(false);
    expect(printed.split('\nMissed: ')[1]).toContain(what);
  });

  it('needs no percent of a backup by label, or of one that is done before', () => {
    const late = round({ seconds: 2.9, percents: percents({ firstSeconds: 2.5, unknowns: 3 }) });
    expect(printMeasured([size({ backups: [backup({ hasLabels: true }, [late])] })])).toBe(true);
    expect(printMeasured([size({ backups: [backup({}, [round({ percents: new Percents(0) })])] })])).toBe(true);
  });

  it('compares the time of an object in the smallest and the largest', () => {
    const plain = (seconds: number): MeasuredRestore[] => [
      restore(),
      { ...restore({ name: WITHOUT_SERVICES }, [round({ seconds, created: 100 })]), wanted: 0 },
    ];
    const large = (seconds: number, more: Partial<Measured> = {}): Measured =>
      size({ size: 'large', restores: plain(seconds), ...more });
    expect(printMeasured([size({ restores: plain(1) }), large(1.3)])).toBe(true);
    expect(printMeasured([size({ restores: plain(1) }), large(1.31)])).toBe(false);
    expect(printed).toContain(`Missed: growth of restores ${WITHOUT_SERVICES}`);
    const slow = [backup({}, [round({ seconds: 2.8, bareSeconds: 2 })])];
    expect(printMeasured([size(), size({ size: 'large', backups: slow })])).toBe(false);
  });
});

it('counts what a user sees of a percent: when it comes, falls or goes, and totals that nobody knows', () => {
  const seen = new Percents(performance.now() - 1000);
  const see = (progress: object, phase = 'InProgress'): void => {
    seen.see({ phase, progress: { ...progress } });
  };
  see({});
  expect(seen.firstSeconds).toBeUndefined();
  see({ percent: 0, itemsBackedUp: 0, totalItems: 9 });
  expect([seen.firstSeconds, seen.firstAboveSeconds]).toEqual([expect.closeTo(1, 0), undefined]);
  see({ percent: 50, itemsBackedUp: 5, totalItems: 9 });
  expect([seen.firstAboveSeconds, seen.falls, seen.unknowns]).toEqual([expect.closeTo(1, 0), 0, 0]);
  see({ percent: 40, itemsBackedUp: 5 });
  expect([seen.falls, seen.unknowns]).toEqual([1, 1]);
  see({ itemsBackedUp: 10, totalItems: 9 });
  expect([seen.falls, seen.unknowns]).toEqual([2, 2]);
  const late = new Percents(0);
  late.see({ phase: 'Completed', progress: { percent: 100, itemsBackedUp: 9, totalItems: 9 } });
  expect(late.firstSeconds).toBeUndefined();
});

it('finds where a list goes on, before its items or after them', () => {
  const items = `"items":[{"data":"${'x'.repeat(10_000)}","metadata":{"continue":"no"}}]`;
  const goesOn = (text: string): string => continueOf(Buffer.from(text));
  expect(goesOn(`{"kind":"PodList","metadata":{"resourceVersion":"7","continue":"abc"},${items}}`)).toBe('abc');
  expect(goesOn(`{${items},"kind":"TopicList","metadata":{"continue":"def","resourceVersion":"7"}}\n`)).toBe('def');
  expect(goesOn(`{"kind":"PodList","metadata":{"resourceVersion":"7"},${items}}`)).toBe('');
  expect(goesOn(`{${items},"kind":"TopicList","metadata":{"resourceVersion":"7"}}`)).toBe('');
});
