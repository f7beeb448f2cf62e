import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

const FULL_DISK = '/dev/full';

it.skipIf(!existsSync(FULL_DISK))('loses lines, not the process, when standard error cannot be written', () => {
  const program = `
    import { pinoLog } from ${JSON.stringify(new URL('pino-log.ts', import.meta.url).href)};
    const log = pinoLog({ component: 'test' });
    for (let i = 0; i < 5000; i += 1) log.error('x'.repeat(1000));
    setImmediate(() => console.log('still here'));`;
  const full = openSync(FULL_DISK, 'w');
  try {
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', full],
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, 'still here\n']);
  } finally {
    closeSync(full);
  }
});
