import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { allGone, groupProcesses, stopProcesses } from '../test/bed/processes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** So long may a server that a bench started take for its end. */
const GRACE_MS = 30_000;

/**
 * Runs a bench and returns its exit code. It has a process group and a folder for temporary files of its own, and both
 * end with it: also when it is interrupted or fails in the middle, it leaves no server, no cluster and no files.
 */
export async function runBench(file: string, args: readonly string[], host: EventEmitter = process): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'headway-bench-'));
  const child = spawn(process.execPath, [file, ...args], {
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const group = child.pid;
  let isInterrupted = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    // Who asks twice has lost patience.
    if (group !== undefined) signalGroup(group, isInterrupted ? 'SIGKILL' : signal);
    isInterrupted = true;
  };
  for (const name of SIGNALS) host.on(name, interrupt);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
      });
    });
  } finally {
    if (group !== undefined) {
      // Those of an interrupted bench have been asked, and take a second time for impatience.
      if (!isInterrupted) signalGroup(group, 'SIGTERM');
      if (!(await allGone(groupProcesses(group), GRACE_MS))) await stopProcesses(groupProcesses(group));
    }
    for (const name of SIGNALS) host.off(name, interrupt);
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
