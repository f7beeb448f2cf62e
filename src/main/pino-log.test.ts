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

it('writes out what a terminal would obey', () => {
  const program = `
    import { pinoLog } from ${JSON.stringify(new URL('pino-log.ts', import.meta.url).href)};
    pinoLog({ component: 'test' }).child({ name: '\\u009b2J' }).error('m', { err: '\\u001b[2J\\u202ex' });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stderr.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(stderr)).toMatchObject({ name: '\u009b2J', err: '\u001b[2J\u202ex' });
});
