import { describe, expect, it } from 'vitest';
import { defaultChange, dueInMs, periodMs, strangerProblem } from './decide-location.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');

it.each([
  [undefined, 60_000],
  ['10s', 10_000],
  ['0', 0],
  ['-5s', 60_000],
  ['nonsense', 60_000],
  ['1ns', 1_000],
])('a period of %s is %d ms', (text, ms) => {
  expect(periodMs(text)).toBe(ms);
});

it.each([
  [undefined, 60_000, 0],
  [undefined, 0, 0],
  ['2026-01-01T11:59:30Z', 60_000, 30_000],
  ['2026-01-01T11:00:00Z', 60_000, 0],
  ['2026-01-01T11:00:00Z', 0, undefined],
  ['2030-01-01T00:00:00Z', 60_000, 0],
])('last done at %s, every %d ms: due in %s ms', (last, everyMs, due) => {
  expect(dueInMs(last, everyMs, NOW)).toBe(due);
});

it('names the folders that are not ours, but not thousands of them', () => {
  expect(strangerProblem(['backups/', 'restores/', 'kopia/', 'restic/', 'metadata/', 'plugins/'])).toBeUndefined();
  expect(strangerProblem(['backups/', 'holiday/'])).toMatch(
    /^Backup store contains invalid top-level directories: holiday;/,
  );
  const many = Array.from({ length: 1000 }, (_, index) => `x${index}/`);
  expect(strangerProblem(many)).toMatch(/x0, x1, x2, x3, x4 and 995 more/);
});

describe('the default location', () => {
  const location = (name: string, day: number, isDefault: boolean) => ({
    apiVersion: 'velero.io/v1',
    kind: 'BackupStorageLocation',
    metadata: { name, uid: name, creationTimestamp: `2026-01-0${day}T00:00:00Z` },
    spec: { default: isDefault },
  });

  it('is the youngest of several', () => {
    const all = [location('a', 1, true), location('b', 3, true), location('c', 2, true), location('d', 4, false)];
    expect(all.map((one) => defaultChange(one, all, 'default'))).toEqual([false, undefined, false, undefined]);
    const twins = [location('a', 1, true), location('b', 1, true)];
    expect(twins.map((one) => defaultChange(one, twins, 'default'))).toEqual([false, undefined]);
  });

  it('is the one with the default name when there is none', () => {
    const all = [location('default', 1, false), location('b', 3, false)];
    expect(all.map((one) => defaultChange(one, all, 'default'))).toEqual([true, undefined]);
    expect(all.map((one) => defaultChange(one, all, 'other'))).toEqual([undefined, undefined]);
  });
});
