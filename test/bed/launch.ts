import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, MARK, type ProcessId, stopProcesses } from './processes.ts';
import { type BedState, readState, writeState } from './state.ts';

export interface Command {
  /** Unique in the bed; names the log file. */
  name: string;
  program: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface Launched extends ProcessId {
  name: string;
  log: string;
}

const SHOWN_LINES = 20;
const POLL_MS = 25;

/** A bed while it is being used: changes its state on disk and starts its processes. */
export interface Workplace {
  readonly directory: string;
  readonly signal: AbortSignal;
}

export function updateState(directory: string, change: (state: BedState) => void): void {
  const state = readState(directory);
  if (state === undefined) throw new Error(`write the state of the bed in ${directory}: it was taken down meanwhile`);
  change(state);
  writeState(directory, state);
}

/** Starts a program in its own process group, with its output in a log file, and writes it down before returning. */
export function launch(place: Workplace, command: Command): Launched {
  place.signal.throwIfAborted();
  const logs = join(place.directory, 'logs');
  const temporary = join(place.directory, 'tmp');
  for (const directory of [logs, temporary]) mkdirSync(directory, { recursive: true });
  const log = join(logs, `${command.name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(command.program, command.args, {
    detached: true,
    stdio: ['ignore', output, output],
    cwd: place.directory,
    env: {
      PATH: process.env['PATH'],
      HOME: place.directory,
      TMPDIR: temporary,
      ...command.env,
      [MARK]: place.directory,
    },
  });
  closeSync(output);
  // A program that cannot be started has no pid, which is told below; a later exit shows in the wait for it.
  child.on('error', () => undefined);
  child.unref();
  const id = child.pid === undefined ? undefined : identify(child.pid);
  if (id === undefined)
    throw new Error(`start ${command.name}: ${command.program} could not be run\n${lastLines(log)}`);
  const launched = { ...id, name: command.name, log };
  updateState(place.directory, (state) => {
    state.processes.push(launched);
  });
  return launched;
}

export async function stop(place: Workplace, launched: Launched, graceMs = 0): Promise<void> {
  await stopProcesses([launched], graceMs);
  updateState(place.directory, (state) => {
    state.processes = state.processes.filter(({ pid }) => pid !== launched.pid);
  });
}

interface Readiness {
  /** What is awaited, for the error message. */
  what: string;
  timeoutMs: number;
  /** Says what is still missing, or undefined when all is there. */
  missing: () => Promise<string | undefined>;
}

/** Waits for a launched program; when it ends or takes too long, the error shows the end of its log. */
export async function waitFor(place: Workplace, launched: Launched, readiness: Readiness): Promise<void> {
  const deadline = Date.now() + readiness.timeoutMs;
  for (;;) {
    place.signal.throwIfAborted();
    const missing = await readiness.missing();
    if (missing === undefined) return;
    const alive = isAlive(launched);
    if (!alive || Date.now() >= deadline) {
      const why = alive ? `not after ${readiness.timeoutMs} ms: ${missing}` : 'the program ended';
      const end = `last lines of ${launched.log}:\n${lastLines(launched.log)}`;
      throw new Error(`wait for ${launched.name}, ${readiness.what}: ${why}; ${end}`);
    }
    await sleep(POLL_MS, undefined, { signal: place.signal });
  }
}

function lastLines(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
