import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { Running } from '../headway-process.ts';

const PROGRAM = new URL('watched.ts', import.meta.url).pathname;

function start(limitMs: number, how: string): Running & Disposable {
  const child = spawn(process.execPath, [PROGRAM, String(limitMs), how], { stdio: ['ignore', 'pipe', 'pipe'] });
  return Object.assign(new Running(child), { [Symbol.dispose]: () => void child.kill('SIGKILL') });
}

describe.concurrent('a process with a watchdog', () => {
  it('ends when its event loop stands, and says where it stands', async () => {
    using process = start(1500, 'spin');
    const { err } = await process.finished();
    expect(process.child.signalCode).toBe('SIGKILL');
    const line = JSON.parse(err) as { msg: string; standsMs: number; at: string[] };
    expect(line.msg).toBe('the event loop stands still, the process ends');
    expect(line.standsMs).toBeGreaterThanOrEqual(1500);
    expect(line.at[0]).toMatch(/^standStill \(file:.*watched\.ts:\d+:\d+\)$/);
  });

  it('ends also when the engine is in a step that nobody can look into', async () => {
    using process = start(1500, 'native');
    const { err } = await process.finished();
    expect(process.child.signalCode).toBe('SIGKILL');
    expect(err).toContain('"at":["unknown');
  });

  it('lives on when it was only suspended for longer', async () => {
    using process = start(2000, 'live');
    await process.prints('alive');
    process.child.kill('SIGSTOP');
    await setTimeout(3500);
    process.child.kill('SIGCONT');
    const before = process.out.length;
    // Longer than the limit, so that a watchdog that counts the suspension would have ended it.
    await setTimeout(2500);
    await eventually(() => {
      expect(process.out.length).toBeGreaterThan(before);
    });
    expect(process.err).toBe('');
    expect(process.child.exitCode ?? process.child.signalCode).toBeNull();
  });

  it('is not kept alive by it', async () => {
    using process = start(1000, 'nothing');
    expect((await process.finished()).code).toBe(0);
  });
});
