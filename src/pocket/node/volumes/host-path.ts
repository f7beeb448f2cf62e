import { mkdirSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

const CHECKS: Readonly<Record<string, { fits(facts: Stats): boolean; what: string }>> = {
  Directory: { fits: (facts) => facts.isDirectory(), what: 'a directory' },
  File: { fits: (facts) => facts.isFile(), what: 'a file' },
  Socket: { fits: (facts) => facts.isSocket(), what: 'a socket file' },
  CharDevice: { fits: (facts) => facts.isCharacterDevice(), what: 'a character device' },
  BlockDevice: { fits: (facts) => facts.isBlockDevice(), what: 'a block device' },
};

/** What keeps a path of the machine from being mounted, in the words of a kubelet; makes it where it may. */
export function hostPathProblem({ path, type = '' }: { path: string; type?: string }): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined && type === 'DirectoryOrCreate') mkdirSync(path, { recursive: true, mode: 0o755 });
  else if (facts === undefined && type === 'FileOrCreate') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(path, '');
  } else if (facts === undefined && type === '') mkdirSync(path, { recursive: true, mode: 0o755 });
  const check = CHECKS[type.replace('OrCreate', '')];
  const now = statSync(path, { throwIfNoEntry: false });
  if (check === undefined || (now !== undefined && check.fits(now))) return undefined;
  return `hostPath type check failed: ${path} is not ${check.what}`;
}

/** Whether one path is the other or leads to or away from it. */
export function areNested(one: string, other: string): boolean {
  const [a, b] = [slashed(one), slashed(other)];
  return a.startsWith(b) || b.startsWith(a);
}

function slashed(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
