import { mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { AppError, isAppError, type Log } from '../base/index.ts';
import type { PocketOptions } from '../cli/index.ts';
import { startPocket, type Pocket } from '../pocket/index.ts';
import { podProcesses } from './pod-processes.ts';
import type { PocketDirectory } from './pocket-directory.ts';
import { ProcessLock } from './process-lock.ts';
import { systemClock } from './system-clock.ts';

export interface RunningPocket extends AsyncDisposable {
  server: string;
  kubeconfig: string;
  pods: Pocket['pods'];
  /** Resolves when the signal is aborted. */
  until(signal: AbortSignal): Promise<void>;
}

/** Serves a pocket cluster from this process. Whoever holds the directory's lock is the cluster. */
export async function runPocket(
  directory: PocketDirectory,
  options: PocketOptions & { home: string; env: NodeJS.ProcessEnv },
  log: Log,
): Promise<RunningPocket> {
  mkdirSync(directory.path, { recursive: true, mode: 0o700 });
  const lock = ProcessLock.tryTake(directory.lockFile);
  if (lock === undefined) {
    throw new AppError('alreadyExists', `pocket cluster "${directory.name}" is already running`, {
      details: { hint: `See it with: headway pocket status ${directory.name}` },
    });
  }
  directory.clearRun();
  try {
    const pods =
      options.pods === 'simulated'
        ? {}
        : { pods: podProcesses({ ...options, stores: join(directory.path, 'stores') }) };
    const start = (port: number): Promise<Pocket> =>
      startPocket({ dir: directory.path, name: directory.name, port, clock: systemClock, log, ...pods });
    const pocket = await startOnItsPort(start, options.port, directory.port);
    const { url, pods: how } = pocket;
    directory.writeRun({ pid: process.pid, server: url, startedAt: new Date().toISOString(), pods: how.message });
    return {
      server: pocket.url,
      kubeconfig: directory.kubeconfigFile,
      pods: how,
      until: async (signal) => {
        if (!signal.aborted) await once(signal, 'abort');
      },
      [Symbol.asyncDispose]: async () => {
        await pocket.close();
        directory.clearRun();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** On the port it had before, so that copies of its kubeconfig stay good; on any free one when that is taken. */
async function startOnItsPort(
  start: (port: number) => Promise<Pocket>,
  wanted: number | undefined,
  before: number | undefined,
): Promise<Pocket> {
  if (wanted !== undefined || before === undefined) return await start(wanted ?? 0);
  try {
    return await start(before);
  } catch (error) {
    if (!isAppError(error, 'conflict')) throw error;
    return await start(0);
  }
}
