import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditVerdict, lockfileProblems, type Lockfile } from '../scripts/dependencies.ts';

describe('the lockfile', () => {
  it('has integrity for all, no host, and nothing that runs when it is installed', () => {
    const ours = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lockfile;
    expect(Object.keys(ours.packages).length).toBeGreaterThan(100);
    expect(lockfileProblems(ours)).toEqual([]);
  });

  it.each([
    [{}, 'node_modules/@a/b has no integrity'],
    [
      { integrity: 'sha512-x', resolved: 'https://npm.example.org/b.tgz' },
      'comes from one place only: https://npm.example.org',
    ],
    [{ integrity: 'sha512-x', hasInstallScript: true }, 'runs a program when it is installed'],
  ])('is refused with %j', (entry, problem) => {
    const problems = lockfileProblems({ packages: { '': {}, 'node_modules/@a/b': entry } });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('may have a package with an install script that was allowed', () => {
    const entry = { integrity: 'sha512-x', hasInstallScript: true };
    const packages = { '': {}, 'node_modules/x/node_modules/@a/b': entry };
    expect(lockfileProblems({ packages }, { '@a/b': 'builds a thing' })).toEqual([]);
  });
});

describe('npm audit', () => {
  const report = (vulnerabilities: object): string =>
    JSON.stringify({ metadata: { vulnerabilities: {} }, vulnerabilities });

  it('is fine, or names what is high or critical', () => {
    expect(auditVerdict(report({ a: { severity: 'moderate' } }))).toEqual({ kind: 'fine' });
    const bad = report({ a: { severity: 'high' }, b: { severity: 'low' }, c: { severity: 'critical' } });
    expect(auditVerdict(bad)).toEqual({ kind: 'bad', packages: ['a (high)', 'c (critical)'] });
  });

  it.each([
    [
      '{"message":"405 Method Not Allowed - POST https://r.example.org/-/npm/v1/x"}',
      'audit: 405 Method Not Allowed - POST',
    ],
    [
      '{"error":{"code":"ENOTFOUND","summary":"request to https://r.example.org/x failed"}}',
      'audit: request to failed',
    ],
    ['{"error":{}}', 'does not audit: no reason'],
    ['', 'printed no JSON: nothing at all'],
    ['<html>', 'printed no JSON: <html>'],
  ])('is skipped when the registry answers %s', (printed, why) => {
    expect(auditVerdict(printed)).toEqual({ kind: 'skipped', why: expect.stringContaining(why) as string });
  });
});
