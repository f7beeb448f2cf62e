import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MoverRuns } from './mover-runs.ts';

it.each([
  ['as many files at a time as it has processors, and at least four', undefined, Math.max(4, availableParallelism())],
  ['one file at a time if it is told so', 1, 1],
])('a mover lets kopia read %s', async (_, parallel, expected) => {
  using runs = new MoverRuns();
  const program = join(runs.place.path, 'program');
  // What it would do with them is another test's business.
  writeFileSync(program, `#!/bin/sh\necho "$*" >>'${runs.place.path}/asked'\nexit 1\n`);
  chmodSync(program, 0o700);
  const job = runs.job({ program, isPreparing: false, ...(parallel === undefined ? {} : { parallel }) });
  expect((await runs.run(job)).exitCode).not.toBe(0);
  const asked = readFileSync(join(runs.place.path, 'asked'), 'utf8').split('\n');
  const create = asked.filter((line) => line.includes(' snapshot create '));
  expect(create.map((line) => /--parallel=(\d+) /.exec(line)?.[1])).toEqual([String(expected)]);
});
