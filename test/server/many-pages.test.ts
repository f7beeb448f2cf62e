import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The small version of bench/server.ts, so that it stays runnable and a lost event is noticed. */
it('keeps 40 pages fresh while 50 of 500 operations change every second', async () => {
  const bench = join(import.meta.dirname, '..', '..', 'bench', 'server.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [bench, '40', '500', '50', '3'], { timeout: 60_000 });
  const [, p99 = '', perSecond = ''] = /p99 (\d+) ms.*\((\d+) a second/.exec(stdout) ?? [];
  expect(Number(p99)).toBeLessThan(1500);
  expect(Number(perSecond)).toBeGreaterThan(40);
}, 70_000);
