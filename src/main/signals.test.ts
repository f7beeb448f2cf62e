import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';

const MODULE = new URL('./signals.ts', import.meta.url).href;
const PROGRAM = `
  import { stopOnSignals } from ${JSON.stringify(MODULE)};
  const signal = stopOnSignals(process);
  const alive = setInterval(() => undefined, 1000);
  signal.addEventListener('abort', () => {
    console.log(signal.reason.message);
    if (process.argv[1] === 'gentle') clearInterval(alive);
  });
  console.log('up');
`;

describe('stopOnSignals', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  function start(mode: 'gentle' | 'stuck') {
    const started = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines: string[] = [];
    started.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
    const said = async (line: string): Promise<void> => {
      while (!lines.includes(line)) await once(started.stdout, 'data');
    };
    return { process: started, said, exited: once(started, 'exit') };
  }

  it('aborts on the first signal and lets the process end by itself', async () => {
    const run = start('gentle');
    await run.said('up');
    run.process.kill('SIGTERM');
    await run.said('stopped by SIGTERM');
    expect(await run.exited).toEqual([0, null]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends the process at once on a second signal, %s', async (second, code) => {
    const run = start('stuck');
    await run.said('up');
    run.process.kill('SIGINT');
    await run.said('stopped by SIGINT');
    run.process.kill(second);
    expect(await run.exited).toEqual([code, null]);
  });
});
