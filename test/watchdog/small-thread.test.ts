import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MIB = 1024 ** 2;

it('gives a small thread a small young generation, and those after it what the process was started with', async () => {
  const flags = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
  const script = fileURLToPath(new URL('young-generation.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { timeout: 30_000 });
  const [small, usual] = stdout.trim().split('\n').map(Number);
  expect(small).toBeLessThanOrEqual(3 * MIB);
  expect(usual).toBeGreaterThanOrEqual(8 * MIB);
});
