import { chmodSync, chownSync, lchownSync, lstatSync, lutimesSync, mkdirSync, utimesSync, type Stats } from 'node:fs';
import { AppError } from '../../../base/index.ts';
import { systemCode } from '../system-code.ts';
import { pathBytes, type BytePath } from '../byte-path.ts';
import type { EntryList } from '../entry-list.ts';
import { removeNow } from '../remove-tree.ts';
import { shownPath } from '../shown-path.ts';
import type { TarEntry } from './tar-header.ts';

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
/** Nobody else may look into a directory that is not finished. */
const UNFINISHED_MODE = 0o700;

interface OpenDirectory {
  path: BytePath;
  /** What it gets when everything in it is there; absent if the archive has not told. */
  entry?: TarEntry;
}

/**
 * Writes below one directory and nowhere else, whatever the archive says: paths stay inside, and no link is followed,
 * whether it was there before or came with the archive. (Node has no openat; nobody else has the volume mounted.)
 */
export class SafeTree {
  readonly #place: string;
  readonly #root: Buffer;
  /** Gets the path of every entry; what is in its place goes. Without it, nothing that exists is replaced. */
  readonly #kept: EntryList | undefined;
  #removed = 0;
  /** The directories from the root to where we are: known to be real ones. */
  readonly #open: OpenDirectory[] = [{ path: '' }];

  constructor(root: string, kept?: EntryList) {
    this.#place = root;
    this.#root = Buffer.from(root);
    this.#kept = kept;
  }

  /** How much of what was in the place of an entry is not in the archive. */
  get removed(): number {
    return this.#removed;
  }

  at(path: BytePath): Buffer {
    return path === '' ? this.#root : Buffer.concat([this.#root, Buffer.from('/'), pathBytes(path)]);
  }

  /** Where an entry goes; its directory is there and is a real one. */
  place(entry: TarEntry): { path: BytePath; at: Buffer } {
    const path = checkedPath(entry.path);
    const slash = path.lastIndexOf('/');
    this.#goTo(slash < 0 ? '' : path.slice(0, slash));
    if (this.#kept !== undefined && entry.type !== 'directory') {
      this.#kept.add(path, entry.type === 'symlink' ? 'link' : 'file');
      this.#removed += Math.max(0, removeNow(this.#place, path) - 1);
    }
    return { path, at: this.at(path) };
  }

  /** An entry that there is no room for: it is in the archive all the same. */
  skip(entry: TarEntry): void {
    if (isRoot(entry.path)) return;
    const parts = checkedPath(entry.path).split('/');
    const kind = entry.type === 'symlink' ? 'link' : entry.type === 'directory' ? 'directory' : 'file';
    for (const [index] of parts.slice(1).entries()) this.#kept?.add(parts.slice(0, index + 1).join('/'), 'directory');
    this.#kept?.add(parts.join('/'), kind);
  }

  /** A file of this tree that another name is made for. */
  existingFile(target: BytePath): Buffer {
    const path = checkedPath(target);
    const parts = path.split('/');
    parts.forEach((_, index) => {
      const way = parts.slice(0, index + 1).join('/');
      const stats = this.#look(way);
      const isRight = index === parts.length - 1 ? stats?.isFile() : stats?.isDirectory();
      if (isRight !== true) throw hostile(target, 'expected the name of a file that came before');
    });
    return this.at(path);
  }

  directory(entry: TarEntry): void {
    const { path, at } = isRoot(entry.path) ? { path: '', at: this.#root } : this.place(entry);
    if (path === '') {
      this.#goTo('');
      this.#open[0] = { path: '', entry };
      return;
    }
    this.#make(path, at);
    this.#open.push({ path, entry });
  }

  /** Gives all directories what the archive says about them. */
  finish(): void {
    while (this.#open.length > 0) this.#leave();
  }

  setLink(at: Buffer, { uid, gid, mtimeSeconds }: TarEntry): void {
    lchownSync(at, uid, gid);
    lutimesSync(at, mtimeSeconds, mtimeSeconds);
  }

  #goTo(path: BytePath): void {
    for (let last = this.#open.at(-1); last !== undefined && !isWithin(path, last.path); last = this.#open.at(-1)) {
      this.#leave();
    }
    const known = this.#open.at(-1)?.path ?? '';
    const rest = path === known ? [] : path.slice(known === '' ? 0 : known.length + 1).split('/');
    let way = known;
    for (const name of rest) {
      way = way === '' ? name : `${way}/${name}`;
      this.#make(way, this.at(way));
      this.#open.push({ path: way });
    }
  }

  #make(path: BytePath, at: Buffer): void {
    this.#kept?.add(path, 'directory');
    try {
      mkdirSync(at, UNFINISHED_MODE);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      if (this.#look(path)?.isDirectory() === true) return;
      if (this.#kept === undefined) throw hostile(path, 'expected a directory there, found something else');
      removeNow(this.#place, path);
      mkdirSync(at, UNFINISHED_MODE);
    }
  }

  #leave(): void {
    const left = this.#open.pop();
    if (left?.entry === undefined) return;
    const { mode, uid, gid, mtimeSeconds } = left.entry;
    const at = this.at(left.path);
    chownSync(at, uid, gid);
    // After the owner, because changing it clears the set-user-id bit.
    chmodSync(at, mode);
    utimesSync(at, mtimeSeconds, mtimeSeconds);
  }

  #look(path: BytePath): Stats | undefined {
    return lstatSync(this.at(path), { throwIfNoEntry: false });
  }
}

function isWithin(path: BytePath, directory: BytePath): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

function isRoot(path: BytePath): boolean {
  return path === '' || path === '.' || path === './';
}

/** The path with a slash at its end taken away; throws for one that no honest archive has. */
function checkedPath(path: BytePath): BytePath {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain.length > MAX_PATH_BYTES || plain.includes('\0')) throw hostile(path, 'expected a path of a file');
  for (const name of plain.split('/')) {
    if (name === '' || name === '.' || name === '..' || name.length > MAX_NAME_BYTES) {
      throw hostile(path, 'expected a path that stays inside the volume');
    }
  }
  return plain;
}

export function hostile(path: BytePath, why: string): AppError {
  return new AppError('invalid', `restore a volume: entry ${JSON.stringify(shownPath(path))} of its archive: ${why}`);
}
