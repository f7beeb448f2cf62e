import { readdirSync, readlinkSync } from 'node:fs';

/** The files below a directory that this process has open; undefined where the system does not tell. */
export function openFiles(directory: string): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc/self/fd')
    .map(linkOf)
    .filter((path) => path.startsWith(directory));
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // Closed meanwhile, such as the one for this look.
    return '';
  }
}
