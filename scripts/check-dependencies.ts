/** Part of `npm run check`: the lockfile, and `npm audit` where the registry answers. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { auditVerdict, lockfileProblems, type Lockfile } from './dependencies.ts';

const WITHIN_MS = 60_000;

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lockfile;
const problems = lockfileProblems(lockfile);

const { stdout, error } = spawnSync(
  'npm',
  ['audit', '--audit=true', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=20000'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: WITHIN_MS },
);
const verdict = error === undefined ? auditVerdict(stdout) : { kind: 'skipped' as const, why: error.message };
if (verdict.kind === 'skipped') console.log(`skipped: npm audit, ${verdict.why}`);
if (verdict.kind === 'bad') problems.push(`npm audit: ${verdict.packages.join(', ')}`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
