import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The movers that run as processes of this machine and see a directory below this one. */
export function moverProcesses(below: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('\0mover\0/headway/job/job.json'))
    .filter((pid) => program(pid) === 'node')
    .filter((pid) => read(`/proc/${pid}/mountinfo`).includes(below))
    .map(Number);
}

/** Not what starts it, which has the same words behind its own. */
function program(pid: string): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended since.
    return '';
  }
}
