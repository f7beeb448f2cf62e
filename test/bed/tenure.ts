import { mkdtempSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.ts';
import { removeLeftovers } from './machine.ts';
import { identify, isAlive, markedProcesses, stopProcesses } from './processes.ts';
import { type BedState, readState, writeState } from './state.ts';

const LOCK_TIMEOUT_MS = 60_000;

export function bedNames(home: string): string[] {
  mkdirSync(home, { recursive: true });
  return readdirSync(home).filter((name) => !name.startsWith('.'));
}

/**
 * Takes a name for a new bed, after cleaning away every stale one. Returns the bed's directory, or undefined when a
 * living bed has the name.
 */
export async function claim(home: string, name: string, keep: boolean): Promise<string | undefined> {
  return await inHome(home, async () => {
    for (const other of bedNames(home)) {
      const state = readState(join(home, other));
      if (isStale(state) || (other === name && isBroken(state))) await clean(join(home, other));
    }
    const directory = join(home, name);
    if (bedNames(home).includes(name)) return undefined;
    // Renamed into place with its state: no other process ever sees a bed without one.
    const fresh = mkdtempSync(join(home, '.new-'));
    const starter = identify(process.pid);
    if (starter === undefined) throw new Error(`identify own process ${process.pid}: expected it under /proc`);
    const state: BedState = { name, phase: 'starting', keep, starter, processes: [], clusters: [], velero: false };
    writeState(fresh, state);
    renameSync(fresh, directory);
    return directory;
  });
}

/**
 * Ends the bed's processes, and only these, and removes its directory. Says how many processes it ended, or
 * undefined when there is no such bed.
 */
export async function endBed(home: string, name: string): Promise<number | undefined> {
  return await inHome(home, async () => {
    const exists = bedNames(home).includes(name);
    const ended = await clean(join(home, name));
    return exists || ended > 0 ? ended : undefined;
  });
}

/**
 * A bed that nobody will use again: its starter died while starting it or while it was the starter's own, or all
 * its processes are gone, as after a reboot.
 */
export function isStale(state: BedState | undefined): boolean {
  if (state === undefined) return true;
  if (state.phase === 'starting' || !state.keep) return !isAlive(state.starter);
  return !state.processes.some(isAlive);
}

/** Up, but some of its processes are gone: of no use to who wants this very bed, perhaps still to another. */
function isBroken(state: BedState | undefined): boolean {
  return state?.phase === 'up' && !state.processes.every(isAlive);
}

async function clean(directory: string): Promise<number> {
  const recorded = readState(directory)?.processes ?? [];
  // The mark finds what the starter had no time to write down, and children whose parent is gone.
  const marked = markedProcesses(directory).filter(({ pid }) => pid !== process.pid);
  const unrecorded = marked.filter(({ pid }) => !recorded.some((process) => process.pid === pid));
  const living = [...recorded, ...unrecorded].filter(isAlive);
  await stopProcesses(living);
  await removeLeftovers(directory);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  return living.length;
}

async function inHome<T>(home: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`beds in ${home}`, { timeoutMs: LOCK_TIMEOUT_MS }, work);
}
