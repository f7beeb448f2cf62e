import { createCipheriv, createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Sample trees for the tests of volume plugins; not part of the product. */
const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const LARGE_ID = 3_000_000_001;

/** Bytes that cannot be compressed, the same for a seed. */
export function content(size: number, seed = 0): Buffer {
  const key = createHash('sha256').update(`sample ${seed}`).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

/** A tree with everything that a file system of Linux may hold and that a copy can keep. */
export function makeTree(root: string, keeps: { anyName: boolean } = { anyName: true }): void {
  const at = (path: string): string => join(root, path);
  mkdirSync(at('a/b/c'), { recursive: true });
  mkdirSync(at('empty'));
  for (const [index, size] of [0, 1, 511, 512, 513, 4096, 70_000, MIB - 1, MIB, 3 * MIB + 7].entries()) {
    writeFileSync(at(`a/file-${size}`), content(size, index));
  }
  writeFileSync(at('a/b/c/deep'), 'deep');
  const long = 'long-'.repeat(49);
  mkdirSync(at(`${long}/${long}/${long}`), { recursive: true });
  writeFileSync(at(`${long}/${long}/${long}/${long}x`), 'far away');
  for (const name of ['ünïcødé ✓ 漢字', 'new\nline', `quote'"\\`, '-dash', ' blank ', '.hidden']) {
    writeFileSync(at(name), name);
  }
  if (keeps.anyName) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0xfe])]), 'bytes');
  symlinkSync('a/file-1', at('link'));
  symlinkSync('/etc/passwd', at('link-out'));
  symlinkSync('no/such/file', at('link-dangling'));
  symlinkSync('x'.repeat(300), at('link-long'));
  // What programs take for a sign to leave something out.
  mkdirSync(at('cache'));
  writeFileSync(at('cache/CACHEDIR.TAG'), 'Signature: 8a477f597d28d172789f06886806bc55');
  writeFileSync(at('cache/entry'), 'cached');
  writeFileSync(at('.kopiaignore'), 'a\n.hidden\n');
  makeAttributes(at);
}

function makeAttributes(at: (path: string) => string): void {
  const modes: [string, number][] = [
    ['a/file-511', 0o4755],
    ['a/file-512', 0o2711],
    ['a/file-513', 0o400],
    ['a/file-4096', 0o000],
    ['empty', 0o1777],
  ];
  if (isRoot) {
    chownSync(at('a/file-511'), 1234, 5678);
    chownSync(at('a/file-70000'), LARGE_ID, LARGE_ID);
    chownSync(at('a/b'), 99, 98);
  }
  for (const [path, mode] of modes) chmodSync(at(path), mode);
  utimesSync(at('a/file-0'), 1, 1);
  utimesSync(at('a/file-1'), 1_700_000_000.123456, 1_700_000_000.123456);
  utimesSync(at('a/b/c'), 2_200_000_000, 2_200_000_000);
}

/** Two names of one file, besides a third elsewhere. */
export function addHardLinks(root: string): void {
  linkSync(join(root, 'a/file-70000'), join(root, 'a/again'));
  linkSync(join(root, 'a/file-70000'), join(root, 'empty/once more'));
}

/** 64 MiB that take almost no room: data at the start, in the middle and just before the end. */
export function addSparseFile(root: string, size: number = 64 * MIB): void {
  const file = openSync(join(root, 'sparse'), 'w');
  ftruncateSync(file, size);
  for (const at of [0, Math.floor(size / 2) + 100, size - 4096]) writeSync(file, 'data', at);
  closeSync(file);
}

export interface TreeFacts {
  type: 'file' | 'directory' | 'link' | 'other';
  mode: number;
  owner: string;
  /** Whole seconds; absent where a plugin keeps none. */
  mtime: number;
  /** SHA-256 of a file, target of a link. */
  content?: string;
  /** The first name of a file that has several. */
  sameAs?: string;
}

/** Everything that two equal trees have in common, by path (as text with one character for each byte). */
export function describeTree(root: string, keeps = { directoryTimes: true }): Record<string, TreeFacts> {
  const facts: [string, TreeFacts][] = [];
  const names = new Map<number, string>();
  const visit = (path: string): void => {
    const at = Buffer.concat([Buffer.from(root), Buffer.from(path, 'latin1')]);
    const stats = lstatSync(at);
    const common = {
      mode: stats.mode & 0o7777,
      owner: `${stats.uid}:${stats.gid}`,
      mtime: Math.floor(stats.mtimeMs / 1000),
    };
    if (stats.isDirectory()) {
      facts.push([path, { type: 'directory', ...common, ...(keeps.directoryTimes ? {} : { mtime: 0 }) }]);
      for (const name of readdirSync(at, { encoding: 'buffer' })) visit(`${path}/${name.toString('latin1')}`);
    } else if (stats.isSymbolicLink()) {
      const target = readlinkSync(at, { encoding: 'buffer' }).toString('latin1');
      facts.push([path, { type: 'link', ...common, content: target }]);
    } else if (stats.isFile()) {
      const first = stats.nlink > 1 ? names.get(stats.ino) : undefined;
      names.set(stats.ino, first ?? path);
      const hash = createHash('sha256').update(readFileSync(at)).digest('hex');
      facts.push([path, { type: 'file', ...common, content: hash, ...(first === undefined ? {} : { sameAs: '' }) }]);
    } else facts.push([path, { type: 'other', ...common }]);
  };
  visit('');
  return Object.fromEntries(facts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
