import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The children of a process, by the kernel's own list. Empty when it is gone. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** These processes and all below them, up to a limit: who has more has too many. */
export function treeOf(roots: readonly number[], limit: number): number[] {
  const found: number[] = [];
  const left = [...roots];
  for (let pid = left.pop(); pid !== undefined && found.length <= limit; pid = left.pop()) {
    found.push(pid);
    left.push(...childrenOf(pid));
  }
  return found;
}

const PAGE_BYTES = 4096;

/** Memory that a process has in use, shared or not; 0 when it is gone. */
export function residentBytes(pid: number): number {
  try {
    const [, resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(resident) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** The same with what is shared counted in parts, which takes the kernel longer; 0 when it is gone or not ours. */
export function ownBytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

/** The terminal that a process has as its input. */
export function terminalOf(pid: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/0`);
    return path.startsWith('/dev/pts/') ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Processes of ours that have this line in their environment, wherever they have got to since. */
export function markedProcesses(line: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${line}\0`);
      } catch {
        return false; // Gone, or somebody else's.
      }
    });
}

/** Nobody is there any more, or it is not ours: then there is nothing to end. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  // 0 would be all of our own, and -1 everybody.
  if (!(Math.abs(pid) > 1)) return;
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
