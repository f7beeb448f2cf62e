import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessId {
  pid: number;
  /** Clock ticks since boot, field 22 of /proc/PID/stat. */
  startTime: string;
}

/** Every process of a bed carries this variable with the bed's directory, and its children inherit it. */
export const MARK = 'HEADWAY_BED_DIRECTORY';

const KILL_MS = 5000;

export function identify(pid: number): ProcessId | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.isOver ? undefined : { pid, startTime: stat.startTime };
}

export function isAlive(process: ProcessId): boolean {
  return identify(process.pid)?.startTime === process.startTime;
}

/**
 * Ends these processes and their groups: asks if there is a grace period, then insists. A pid that belongs to
 * another process by now is left alone.
 */
export async function stopProcesses(processes: readonly ProcessId[], graceMs = 0): Promise<void> {
  if (graceMs > 0) {
    signalAll(processes, 'SIGTERM');
    if (await allGone(processes, graceMs)) return;
  }
  signalAll(processes, 'SIGKILL');
  if (await allGone(processes, KILL_MS)) return;
  const left = processes.filter(isAlive).map(({ pid }) => pid);
  throw new Error(`end processes ${left.join(', ')}: expected them gone ${KILL_MS} ms after SIGKILL`);
}

/** Processes that carry the mark of this bed, whoever started them and whether or not they were written down. */
export function markedProcesses(directory: string): ProcessId[] {
  const wanted = `${MARK}=${directory}`;
  return processesWith((pid) => environment(pid).includes(wanted));
}

/** Those of a process group, also when its leader is gone. */
export function groupProcesses(group: number): ProcessId[] {
  return processesWith((pid) => readStat(Number(pid))?.group === group);
}

function processesWith(isWanted: (pid: string) => boolean): ProcessId[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWanted(name))
    .map((name) => identify(Number(name)))
    .filter((found) => found !== undefined);
}

function environment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // Gone since the listing, or another user's: not ours in both cases.
  }
}

export async function allGone(processes: readonly ProcessId[], withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (processes.some(isAlive)) {
    if (Date.now() >= deadline) return false;
    await sleep(20);
  }
  return true;
}

function signalAll(processes: readonly ProcessId[], signal: NodeJS.Signals): void {
  for (const { pid } of processes.filter(isAlive)) {
    try {
      // A leader of its own group takes its children along; a child that is listed by itself has no group.
      process.kill(readStat(pid)?.group === pid ? -pid : pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

function readStat(pid: number): { isOver: boolean; group: number; startTime: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // No such process.
  }
  // The second field is the program's name in parentheses and may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // A zombie that waits for its parent is over once its last thread is: until then it may still hold its ports.
  const isOver = fields[0] === 'Z' && Number(fields[17]) <= 1;
  return { isOver, group: Number(fields[2]), startTime: fields[19] ?? '' };
}
