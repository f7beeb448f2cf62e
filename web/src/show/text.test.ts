import { describe, expect, it } from 'vitest';
import { estimate, exact, UNKNOWN, type Report } from '../../../src/core/progress/index.ts';
import { barParts } from './bar-parts.ts';
import {
  leftText,
  measureText,
  notRestored,
  NOTHING,
  percentText,
  rateText,
  stalledSeconds,
  tookText,
} from './progress-text.ts';
import { clockText, exactText, relativeText } from './time-text.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const report = (parts: Partial<Report> = {}): Report => ({ state: 'running', measures: [], children: [], ...parts });

describe('progress in words', () => {
  it.each([
    [{ unit: 'items', done: 1653, total: exact(2431) }, '1 653 of 2 431 items'],
    [{ unit: 'items', done: 2431, total: exact(2431) }, '2 431 items'],
    [{ unit: 'items', done: 80, total: estimate(160) }, '80 of about 160 items'],
    [{ unit: 'items', done: 1653, total: UNKNOWN }, '1 653 items'],
    [{ unit: 'items', done: 1, total: UNKNOWN }, '1 item'],
    [{ unit: 'items', done: 1, total: exact(1) }, '1 item'],
    [{ unit: 'items', done: 0, total: exact(1) }, '0 of 1 item'],
    [{ unit: 'bytes', done: 2_040_109_466, total: exact(4_724_464_026) }, '1.9 GiB of 4.4 GiB'],
  ] as const)('%j is %s', (measure, text) => {
    expect(measureText(measure)).toBe(text);
  });

  it('counts what a retry would go for: what failed and what nobody got to', () => {
    const counts = { created: 28, updated: 0, skipped: 1, failed: 2 };
    const ended = report({ state: 'canceled', counts, measures: [{ unit: 'items', done: 31, total: exact(100) }] });
    expect(notRestored(ended)).toBe(71);
    expect(notRestored(report({ state: 'canceled' }))).toBe(0);
  });

  it('shows no number that nobody knows', () => {
    expect(rateText(report())).toBe(NOTHING);
    expect(leftText(report())).toBeUndefined();
    expect(percentText(report())).toBeUndefined();
  });

  it('never says that no time is left while it runs', () => {
    expect(leftText(report({ etaSeconds: 0 }))).toBe('about 1 s left');
  });

  it('tells the rate in the unit that is counted', () => {
    const bytes = { unit: 'bytes', done: 0, total: UNKNOWN } as const;
    expect(rateText(report({ ratePerSecond: 92_274_688, measures: [bytes] }))).toBe('88.0 MiB/s');
    expect(rateText(report({ ratePerSecond: 812.4 }))).toBe('812/s');
    expect(rateText(report({ ratePerSecond: 0.25 }))).toBe('0.25/s');
  });

  it('lets a stall grow between two events', () => {
    const stalled = { sinceSeconds: 120, cause: 'x', hint: '' };
    const lastProgressAt = new Date(NOW - 190_000).toISOString();
    expect(stalledSeconds(report({ stalled, lastProgressAt }), NOW)).toBe(190);
    expect(stalledSeconds(report({ stalled }), NOW)).toBe(120);
  });

  it('has a decimal where people compare', () => {
    expect([0.2, 3.14, 9.99, 29].map(tookText)).toEqual(['0.2 s', '3.1 s', '10 s', '29 s']);
  });
});

describe('barParts', () => {
  it('is as wide as the percent, divided as the counts say', () => {
    const counts = { created: 60, updated: 10, skipped: 20, failed: 10 };
    expect(barParts(report({ percent: 80, counts }))).toEqual({ done: 56, skipped: 16, failed: 8 });
    expect(barParts(report({ percent: 80 }))).toEqual({ done: 80, skipped: 0, failed: 0 });
    expect(barParts(report({ counts }))).toBeUndefined();
  });
});

describe('times', () => {
  const at = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

  it.each([
    [12, '12 s ago'],
    [240, '4 min ago'],
    [3600, '1 h ago'],
    [86_400 * 5, '5 d ago'],
    [0, 'just now'],
    [-18_000, 'in 5 h'],
  ])('%d seconds before now is %s', (seconds, text) => {
    expect(relativeText(at(seconds), NOW)).toBe(text);
  });

  it('stands in the zone of the user', () => {
    expect(clockText(at(0), NOW, 'Europe/Berlin')).toBe('13:00:00');
    expect(clockText(at(-3600), NOW, 'Europe/Berlin')).toBe('14:00');
    expect(clockText(at(3 * 86_400), NOW, 'America/New_York')).toBe('Fri 13 Nov 07:00');
    expect(exactText(at(0), 'Asia/Tokyo')).toBe('Mon, 16 Nov 2026, 21:00:00 GMT+9');
  });

  it('survives what is no time', () => {
    expect([relativeText('', NOW), clockText('x', NOW), exactText('x')]).toEqual(['–', '–', 'x']);
  });
});
