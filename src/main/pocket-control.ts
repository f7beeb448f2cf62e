import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { AppError } from '../base/index.ts';
import type { PocketControl, PocketOptions, PocketStart } from '../cli/index.ts';
import { removeFiles } from '../pocket/index.ts';
import { pinoLog } from './pino-log.ts';
import { PocketDirectory } from './pocket-directory.ts';
import { runPocket } from './run-pocket.ts';
import { systemClock } from './system-clock.ts';

const READY_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 20;

interface Deps {
  home: string;
  env: NodeJS.ProcessEnv;
  /** Ends the waiting of `up` and `down`. */
  signal: AbortSignal;
}

export function pocketControl(deps: Deps): PocketControl {
  const open = (name: string): PocketDirectory => new PocketDirectory(deps.home, name);
  return {
    up: (name, options) => up(open(name), options, deps),
    down: (name, options) => down(open(name), options, deps.signal),
    status: (name) =>
      Promise.resolve(
        name === undefined ? PocketDirectory.all(deps.home).map((one) => one.status()) : [known(open(name)).status()],
      ),
    kubeconfig: (name) => Promise.resolve(readKubeconfig(known(open(name)))),
    run: async (name, options, signal) => {
      const { home, env } = deps;
      await using pocket = await runPocket(open(name), { ...options, home, env }, pinoLog({ component: 'pocket' }));
      await pocket.until(signal);
    },
  };
}

function known(directory: PocketDirectory): PocketDirectory {
  if (!directory.exists) {
    throw new AppError('notFound', `there is no pocket cluster "${directory.name}"`, {
      details: { hint: `Start it with: headway pocket up ${directory.name}` },
    });
  }
  return directory;
}

function readKubeconfig(directory: PocketDirectory): string {
  try {
    return readFileSync(directory.kubeconfigFile, 'utf8');
  } catch (cause) {
    throw new AppError('notFound', `pocket cluster "${directory.name}" has no kubeconfig: it never became ready`, {
      cause,
    });
  }
}

async function up(directory: PocketDirectory, options: PocketOptions, deps: Deps): Promise<PocketStart> {
  const before = directory.status();
  if (before.state === 'running') return { status: before, readyMs: 0, alreadyRunning: true };
  const startedAt = Date.now();
  const portBefore = directory.port;
  mkdirSync(directory.path, { recursive: true, mode: 0o700 });
  const { child, logFrom } = startInBackground(directory, options, deps);
  try {
    while (Date.now() - startedAt < READY_WITHIN_MS) {
      const status = directory.status();
      if (status.state === 'running') {
        const hasMoved = portBefore !== undefined && options.port === undefined && directory.port !== portBefore;
        return {
          status,
          readyMs: Date.now() - startedAt,
          alreadyRunning: status.pid !== child.pid,
          ...(hasMoved ? { movedFrom: portBefore } : {}),
        };
      }
      // Ours ends at once when another one holds the lock; then that one is waited for.
      if (hasEnded(child) && !directory.isHeld) throw didNotStart(directory, logFrom, 'its process ended');
      await systemClock.sleep(LOOK_EVERY_MS, deps.signal);
    }
    throw didNotStart(directory, logFrom, `not ready after ${String(READY_WITHIN_MS / 1000)} s`);
  } catch (error) {
    child.kill('SIGTERM');
    throw error;
  } finally {
    child.unref();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

interface Started {
  child: ChildProcess;
  /** Where in the log the lines of this start begin. */
  logFrom: number;
}

function startInBackground(directory: PocketDirectory, options: PocketOptions, deps: Deps): Started {
  const log = openSync(directory.logFile, 'a', 0o600);
  const entry = process.argv[1] ?? '';
  const flags = (['port', 'kopia', 'restic'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}`, String(options[name])],
  );
  try {
    const logFrom = fstatSync(log).size;
    // Its own session, so that Ctrl-C in this terminal does not reach it.
    const child = spawn(process.execPath, [entry, 'pocket', 'run', directory.name, '--pods', options.pods, ...flags], {
      detached: true,
      stdio: ['ignore', log, log],
      env: deps.env,
    });
    // Without a listener it would crash us; a process that could not be started has no pid, and that is looked at.
    child.on('error', () => undefined);
    return { child, logFrom };
  } finally {
    closeSync(log);
  }
}

function didNotStart(directory: PocketDirectory, logFrom: number, why: string): AppError {
  const written = readFileSync(directory.logFile).subarray(logFrom).toString('utf8');
  const lines = written.trimEnd().split('\n').slice(-20).join('\n');
  return new AppError('unreachable', `pocket cluster "${directory.name}" did not start: ${why}`, {
    details: { hint: `The end of ${directory.logFile}:\n${lines}` },
  });
}

async function down(
  directory: PocketDirectory,
  options: { purge: boolean },
  signal: AbortSignal,
): Promise<{ wasRunning: boolean }> {
  const status = known(directory).status();
  if (status.pid !== undefined) await stop(directory, status.pid, signal);
  else if (directory.isHeld) {
    throw new AppError('conflict', `pocket cluster "${directory.name}" is starting or stopping just now, try again`);
  }
  if (options.purge) removeFiles(directory.path);
  return { wasRunning: status.state === 'running' };
}

async function stop(directory: PocketDirectory, pid: number, signal: AbortSignal): Promise<void> {
  const startedAt = Date.now();
  let asked: NodeJS.Signals | undefined;
  while (directory.isHeld) {
    const waited = Date.now() - startedAt;
    const wanted = waited > STOP_WITHIN_MS / 2 ? 'SIGKILL' : 'SIGTERM';
    if (asked !== wanted) killIfAlive(pid, wanted);
    asked = wanted;
    if (waited > STOP_WITHIN_MS) {
      throw new AppError('timeout', `pocket cluster "${directory.name}" (pid ${String(pid)}) did not stop`);
    }
    await systemClock.sleep(LOOK_EVERY_MS, signal);
  }
  directory.clearRun();
}

function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself since the lock was looked at.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
