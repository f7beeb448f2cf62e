import type { Mount } from './mount-table.ts';
import { bind } from './mount-table.ts';

/** Folders of the machine that hold programs and what they need. All others stay outside, homes first of all. */
export const SYSTEM_FOLDERS = ['usr', 'etc', 'opt', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'nix', 'gnu'];

const OPEN = 0o1777;

/** Folders of every root, with the mode of those that are for all. */
export const FOLDERS: readonly (readonly [path: string, mode: number])[] = [
  ['proc', 0o755],
  ['sys', 0o755],
  ['dev/pts', 0o755],
  ['dev/shm', OPEN],
  ['home', 0o755],
  ['mnt', 0o755],
  ['root', 0o700],
  ['run', 0o755],
  ['srv', 0o755],
  ['tmp', OPEN],
  ['var/cache', 0o755],
  ['var/lib', 0o755],
  ['var/log', 0o755],
  ['var/spool', 0o755],
  ['var/tmp', OPEN],
];

/** Relative, so that nobody who follows them from outside ends up in the machine's own folders. */
export const LINKS: readonly (readonly [path: string, target: string])[] = [
  ['dev/fd', '/proc/self/fd'],
  ['dev/stdin', '/proc/self/fd/0'],
  ['dev/stdout', '/proc/self/fd/1'],
  ['dev/stderr', '/proc/self/fd/2'],
  ['dev/ptmx', 'pts/ptmx'],
  ['var/run', '../run'],
  ['var/lock', '../run/lock'],
];

export const DEVICES: readonly string[] = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/** What a process expects below its root besides files. `isRoot`: of the machine, not only of a user namespace. */
export function baseMounts(root: string, isRoot: boolean): Mount[] {
  return [
    { source: 'proc', target: `${root}/proc`, type: 'proc', options: 'nosuid,nodev,noexec' },
    // A user may not mount it anew; there the files belong to nobody who could change them.
    isRoot
      ? { source: 'sysfs', target: `${root}/sys`, type: 'sysfs', options: 'ro,nosuid,nodev,noexec' }
      : bind('/sys', `${root}/sys`, false),
    ...DEVICES.map((name) => ({ ...bind(`/dev/${name}`, `${root}/dev/${name}`, false), options: 'bind' })),
    { source: 'devpts', target: `${root}/dev/pts`, type: 'devpts', options: 'newinstance,ptmxmode=0666,mode=620' },
    { source: 'tmpfs', target: `${root}/dev/shm`, type: 'tmpfs', options: 'size=64m,nosuid,nodev' },
  ];
}
