import { lstatSync, utimesSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { BytePath } from './byte-path.ts';
import { fileError } from './file-errors.ts';
import { shownPath } from './shown-path.ts';
import { treeAt, walkTree } from './tree-walk.ts';
import { compareEntries, EntryList, type EntryKind } from './entry-list.ts';
import { isOfFileSystem, removeTree } from './remove-tree.ts';

export interface ExactCall {
  root: string;
  /** For a list: one that is not there yet. */
  folder: string;
  signal: AbortSignal;
  /** What is looked at or removed. */
  onCurrent?: ((current: string) => void) | undefined;
}

/** So many steps are done without a look around. */
const PACE = 500;

/**
 * Brings what a volume has to what its backup has. The list of the backup must be whole: what is not in it goes.
 */
export class ExactTree {
  readonly #call: ExactCall;
  #steps = 0;

  constructor(call: ExactCall) {
    this.#call = call;
  }

  /**
   * Removes what is in the way of a program that writes into files which are there: links, which it would follow, delicate
   * files, and whatever has another kind. Returns how much of that is not in the backup.
   */
  async clearWay(kept: EntryList): Promise<number> {
    let removed = 0;
    await this.#compare(kept, (path, here, there) => {
      if (there === undefined || (here === there && here !== 'link')) return undefined;
      return this.#remove(path).then((count) => {
        removed += Math.max(0, count - 1);
      });
    });
    return removed;
  }

  /** Removes what is not in the backup, and returns how much that was. Directories that stay keep their times. */
  async removeExtras(kept: EntryList): Promise<number> {
    let removed = 0;
    await this.#compare(kept, (path, _, there) => {
      if (there !== undefined) return undefined;
      return this.#removeQuietly(path).then((count) => {
        removed += count;
      });
    });
    return removed;
  }

  async #compare(
    kept: EntryList,
    compare: (path: BytePath, here: EntryKind, there: EntryKind | undefined) => Promise<void> | undefined,
  ): Promise<void> {
    try {
      using found = await this.#listed();
      await compareEntries(found, kept, compare);
    } catch (error) {
      throw fileError('bring the volume up to its backup', error);
    }
  }

  async #listed(): Promise<EntryList> {
    const { root, folder } = this.#call;
    const found = new EntryList(folder);
    const at = treeAt(root);
    const onProblem = ({ error }: { error: unknown }): never => {
      throw fileError('look through the volume', error);
    };
    try {
      for (const { path, kind } of walkTree(root, onProblem)) {
        await this.#step(path);
        if (path === '' || isOfFileSystem(path)) continue;
        found.add(path, kind === 'file' && isDelicate(at(path)) ? 'delicate' : kind);
      }
      return found;
    } catch (error) {
      found[Symbol.dispose]();
      throw error;
    }
  }

  async #removeQuietly(path: BytePath): Promise<number> {
    const slash = path.lastIndexOf('/');
    const above = treeAt(this.#call.root)(slash < 0 ? '' : path.slice(0, slash));
    const before = lstatSync(above, { throwIfNoEntry: false });
    const count = await this.#remove(path);
    if (count > 0 && before !== undefined) utimesSync(above, before.atimeMs / 1000, before.mtimeMs / 1000);
    return count;
  }

  async #remove(path: BytePath): Promise<number> {
    const removing = removeTree(this.#call.root, path);
    for (;;) {
      const { done, value } = removing.next();
      if (done === true) return value;
      await this.#step(path);
    }
  }

  /** Much may be there, and somebody may want it to end. */
  async #step(path: BytePath): Promise<void> {
    this.#steps += 1;
    if (this.#steps % PACE !== 0) return;
    this.#call.onCurrent?.(shownPath(path));
    await setImmediate();
    this.#call.signal.throwIfAborted();
  }
}

const SPECIAL_RIGHTS = 0o7000;

function isDelicate(file: Buffer): boolean {
  const { nlink = 1, mode = 0 } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
  return nlink > 1 || (mode & SPECIAL_RIGHTS) !== 0;
}
