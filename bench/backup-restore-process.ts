/** What bench/backup-restore.ts reads of a process in /proc. */
import { readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** User and system time so far. */
export function cpuSeconds(pid: number): number {
  // The name in parentheses may hold blanks.
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** The highest resident size in its life. */
export function peakMb(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}
