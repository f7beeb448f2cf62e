import { EventEmitter, once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { stopOnSignals } from './signals.ts';

const MODULE = new URL('./signals.ts', import.meta.url).href;
const PROGRAM = `
  import { stopOnSignals } from ${JSON.stringify(MODULE)};
  const signal = stopOnSignals(process);
  const alive = setInterval(() => undefined, 1000);
  signal.addEventListener('abort', () => {
    console.log(signal.reason.message);
    clearInterval(alive);
  });
  console.log('up');
`;

describe('stopOnSignals', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  function start() {
    const started = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
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
    const run = start();
    await run.said('up');
    run.process.kill('SIGTERM');
    await run.said('stopped by SIGTERM');
    expect(await run.exited).toEqual([0, null]);
  });

  it('counts a terminal that is closed as a wish to stop', async () => {
    const run = start();
    await run.said('up');
    run.process.kill('SIGHUP');
    await run.said('stopped by SIGHUP');
    expect(await run.exited).toEqual([0, null]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('ends the process at once on a second signal, %s, but not on the same one sent twice', (second, code) => {
    const exits: number[] = [];
    let now = 1000;
    const host = Object.assign(new EventEmitter(), { exit: (given: number) => exits.push(given) });
    const signal = stopOnSignals(host, () => now);
    host.emit('SIGINT');
    expect(signal.aborted).toBe(true);
    // What npm passes on of the Ctrl-C that the terminal has sent to both.
    now += 20;
    host.emit('SIGINT');
    expect(exits).toEqual([]);
    now += 1000;
    host.emit(second);
    expect(exits).toEqual([code]);
  });
});
