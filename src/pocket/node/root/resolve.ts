import { posix } from 'node:path';

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/**
 * Where a path leads when its links are followed inside a root, as they will be when the root is entered: a link to
 * `/run` means the root's own. Undefined for a loop. `readLink` gives the target of a link, or undefined for all else.
 */
export function resolveInRoot(path: string, readLink: (path: string) => string | undefined): string | undefined {
  let left = posix.normalize(`/${path}`).split('/').filter(isPart);
  let at = '';
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const target = readLink(`${at}/${part}`);
    if (target === undefined) {
      at = `${at}/${part}`;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    if (target.startsWith('/')) at = '';
    left = [...target.split('/').filter(isPart), ...left];
  }
  return at === '' ? '/' : at;
}

function isPart(part: string): boolean {
  return part !== '' && part !== '.';
}
