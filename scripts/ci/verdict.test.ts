import { describe, expect, it } from 'vitest';
import { filesToRunAgain, verdictOf, type Run } from './verdict.ts';

/** Each file with the names of its tests; those with a `!` failed, those with a `?` were skipped. */
function run(files: Record<string, string[]>, ok?: boolean, strays: string[] = []): Run {
  const statusOf = (test: string): string =>
    test.includes('!') ? 'failed' : test.includes('?') ? 'skipped' : 'passed';
  const testResults = Object.entries(files).map(([name, tests]) => {
    const assertionResults = tests.map((fullName) => ({ fullName, status: statusOf(fullName) }));
    const hasFailed = tests.every((test) => test.includes('?')) || tests.some((test) => test.includes('!'));
    return { name, status: hasFailed ? 'failed' : 'passed', assertionResults };
  });
  const count = (status: string): number =>
    Object.values(files)
      .flat()
      .filter((test) => statusOf(test) === status).length;
  const [numPassedTests, numFailedTests, numPendingTests] = [count('passed'), count('failed'), count('skipped')];
  const report = { numPassedTests, numFailedTests, numPendingTests, testResults };
  return { report, strays, ok: ok ?? testResults.every(({ status }) => status === 'passed') };
}

const GOOD = { 'a.test.ts': ['a'] };

describe('what CI says of its tests', () => {
  it('is what the first run says, if that has no failure', () => {
    const first = run({ ...GOOD, 'b.test.ts': ['b', 'c'] });
    expect(filesToRunAgain(first)).toEqual([]);
    expect(verdictOf(first)).toEqual({ passed: 3, failed: 0, skipped: 0, onlyAgain: [] });
  });

  it('counts a file that passes when it is run again, alone, and names what had failed', () => {
    const first = run({ ...GOOD, 'b.test.ts': ['b', 'c!'] });
    expect(filesToRunAgain(first)).toEqual(['b.test.ts']);
    const again = run({ 'b.test.ts': ['b', 'c'] });
    expect(verdictOf(first, again)).toEqual({ passed: 3, failed: 0, skipped: 0, onlyAgain: ['b.test.ts c!'] });
  });

  it('is a failure if one of them fails again', () => {
    const first = run({ ...GOOD, 'b.test.ts': ['b!', 'c!'] });
    const again = run({ 'b.test.ts': ['b', 'c!'] });
    expect(verdictOf(first, again)).toEqual({ passed: 1, failed: 1, skipped: 0, onlyAgain: [] });
  });

  it('runs nothing again if more failed than chance can explain', () => {
    const first = run({ a: ['!'], b: ['!'], c: ['!'], d: ['!'] });
    expect(filesToRunAgain(first)).toEqual([]);
    expect(verdictOf(first).failed).toBe(4);
  });

  it('is a failure after an error outside every test, in either run, and without any test', () => {
    expect(verdictOf(run(GOOD, false)).failed).toBe(1);
    expect(verdictOf(run({})).failed).toBe(1);
    const first = run({ ...GOOD, 'b.test.ts': ['b!'] });
    expect(verdictOf(first, run({ 'b.test.ts': ['b'] }, false)).failed).toBe(1);
    expect(verdictOf(first, run({}, true)).failed).toBe(1);
    expect(verdictOf(first, run({ 'other.test.ts': ['b'] })).failed).toBe(1);
  });

  it('tries a file again in which something was thrown outside of its tests, and excuses nothing of unknown origin', () => {
    const stray = run({ ...GOOD, 'b.test.ts': ['b'] }, false, ['b.test.ts']);
    expect(filesToRunAgain(stray)).toEqual(['b.test.ts']);
    const verdict = verdictOf(stray, run({ 'b.test.ts': ['b'] }));
    expect(verdict).toMatchObject({ passed: 2, failed: 0 });
    expect(verdict.onlyAgain).toEqual([expect.stringContaining('b.test.ts')]);
    // Another file failed and passes now, which says nothing of the one that threw.
    const both = run({ ...GOOD, 'b.test.ts': ['b!'] }, false, ['a.test.ts']);
    expect(verdictOf(both, run({ 'b.test.ts': ['b'] })).failed).toBe(1);
    expect(filesToRunAgain(run({ 'b.test.ts': ['b!'] }, false, ['']))).toEqual([]);
  });

  it('takes a file that could not be loaded for a failure, and lets it try again', () => {
    const first = run({ ...GOOD, 'b.test.ts': [] });
    expect(filesToRunAgain(first)).toEqual(['b.test.ts']);
    expect(verdictOf(first).failed).toBe(1);
    expect(verdictOf(first, run({ 'b.test.ts': ['b'] })).failed).toBe(0);
    const unprepared = run({ ...GOOD, 'b.test.ts': ['b?', 'c?', 'd?'] });
    expect(verdictOf(unprepared, run({ 'b.test.ts': ['b', 'c', 'd?'] }))).toMatchObject({
      passed: 3,
      failed: 0,
      skipped: 1,
    });
  });
});
