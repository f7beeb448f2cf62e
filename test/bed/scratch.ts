import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, type ProcessId } from './processes.ts';

/** What a test of the bed leaves behind if nobody cleans: a directory, and processes it started. */
export interface Scratch extends Disposable {
  directory: string;
  /** Starts a process in its own group that is killed at the end at the latest. */
  start(program: string, args: string[], env?: Record<string, string>): ChildProcess & { id: ProcessId };
}

export function scratch(): Scratch {
  const directory = mkdtempSync(join(tmpdir(), 'headway-bed-test-'));
  const children: ChildProcess[] = [];
  return {
    directory,
    start: (program, args, env = {}) => {
      const child = spawn(program, args, {
        detached: true,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
      });
      children.push(child);
      const id = child.pid === undefined ? undefined : identify(child.pid);
      if (id === undefined) throw new Error(`start ${program}: it has no process`);
      return Object.assign(child, { id });
    },
    [Symbol.dispose]: () => {
      for (const { pid, exitCode, signalCode } of children) {
        if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
