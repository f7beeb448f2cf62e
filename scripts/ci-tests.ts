/**
 * For `.ci/run`: the README's test command, and then, once and alone, the files in which something failed
 * (docs/adr/0012). Writes `PASSED FAILED SKIPPED` to the file that it is given.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { straysPath } from '../test/run-summary.ts';
import { filesToRunAgain, verdictOf, type Report, type Run } from './ci/verdict.ts';

const counts = process.argv[2];
if (counts === undefined) throw new Error('usage: node scripts/ci-tests.ts FILE-FOR-COUNTS');
const directory = mkdtempSync(join(tmpdir(), 'headway-ci-'));

function runTests(name: string, files: readonly string[] = []): Run {
  const path = join(directory, `${name}.json`);
  const env = { ...process.env, HEADWAY_TEST_REPORT: path };
  const args = files.length === 0 ? ['test'] : ['test', '--', ...files];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', env });
  const strays = existsSync(straysPath(path)) ? readFileSync(straysPath(path), 'utf8').split('\n') : [];
  return { report: JSON.parse(readFileSync(path, 'utf8')) as Report, strays, ok: status === 0 };
}

try {
  const first = runTests('first');
  const files = filesToRunAgain(first).map((file) => relative(process.cwd(), file));
  if (files.length > 0) console.log(`\n── failed, and run again alone: ${files.join(', ')}`);
  const { passed, failed, skipped, onlyAgain } = verdictOf(
    first,
    files.length > 0 ? runTests('again', files) : undefined,
  );
  for (const test of onlyAgain)
    console.log(`passed only when its file was run again: ${relative(process.cwd(), test)}`);
  writeFileSync(counts, `${passed} ${failed} ${skipped}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
