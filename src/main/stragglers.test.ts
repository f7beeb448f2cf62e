import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const url = new URL('stragglers.ts', import.meta.url).href;

/** The exit code of a process that does this after its command has ended. */
async function exitCode(afterwards: string): Promise<unknown> {
  const code = `
    import { endStragglers } from '${url}';
    process.exitCode = 7;
    endStragglers(process, 50);
    ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio: 'ignore' });
  return (await once(child, 'exit'))[0] as unknown;
}

it.each([
  ['hangs', 'setInterval(() => undefined, 1000)'],
  ['ends by itself', ''],
])('keeps the exit code of a process that %s', async (_, afterwards) => {
  expect(await exitCode(afterwards)).toBe(7);
});
