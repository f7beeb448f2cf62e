import { join } from 'node:path';
import { AppError, formatCount, isAppError } from '../../../base/index.ts';
import type { CopyProgress, KopiaEntry } from '../../../core/volumes/index.ts';
import { bytePath } from '../byte-path.ts';
import { EntryList } from '../entry-list.ts';
import { ExactTree } from '../exact-tree.ts';
import type { RestoreRequest } from '../port.ts';
import { shownPath } from '../shown-path.ts';
import { countEntries, readEntries } from './kopia-list.ts';
import type { KopiaProgram } from './kopia-program.ts';
import { restoreSnapshot, type KopiaRestoreOptions } from './kopia-restore.ts';

const BRING_UP = 'bring the volume up to its backup with kopia';
const KINDS = { file: 'file', directory: 'directory', symlink: 'link' } as const;

export interface BringUpCall {
  options: KopiaRestoreOptions;
  signal: AbortSignal;
  onProgress: (progress: CopyProgress) => void;
  /** What is looked at or removed. */
  onCurrent: (current: string) => void;
}

/**
 * A volume with files of another time, which gets what a snapshot has. kopia could remove what is extra, but it does so
 * before all is written, takes away what the file system keeps for itself, writes through links and into shared files,
 * and skips what looks the same. So kopia only writes, and the rest is done here.
 */
export class KopiaBringUp implements Disposable {
  readonly #kopia: KopiaProgram;
  readonly #request: RestoreRequest;
  readonly #call: BringUpCall;
  readonly #kept: EntryList;
  readonly #tree: ExactTree;
  #removed = 0;

  constructor(kopia: KopiaProgram, request: RestoreRequest, call: BringUpCall) {
    this.#kopia = kopia;
    this.#request = request;
    this.#call = call;
    this.#kept = new EntryList(join(kopia.scratch, 'kept'));
    const { signal, onCurrent } = call;
    this.#tree = new ExactTree({ root: request.path, folder: join(kopia.scratch, 'found'), signal, onCurrent });
  }

  /** Writes all files. Nothing is touched before the names of all of them are known. */
  async write(): Promise<CopyProgress> {
    await this.#list();
    this.#removed += await this.#tree.clearWay(this.#kept);
    const write = (): Promise<CopyProgress> => restoreSnapshot(this.#kopia, this.#request, this.#call);
    try {
      return await write();
    } catch (error) {
      if (!isAppError(error, 'tooLarge')) throw error;
      // What is not in the backup makes room.
      const before = this.#removed;
      if ((await this.removeExtras()) === before) throw error;
      return await write();
    }
  }

  /** Returns how much was removed in all. */
  async removeExtras(): Promise<number> {
    this.#removed += await this.#tree.removeExtras(this.#kept);
    return this.#removed;
  }

  [Symbol.dispose](): void {
    this.#kept[Symbol.dispose]();
  }

  async #list(): Promise<void> {
    const { snapshotID } = this.#request;
    const { signal } = this.#call;
    const expected = await countEntries(this.#kopia, snapshotID, signal);
    let entries = 0;
    const never = new AbortController().signal;
    await readEntries(this.#kopia, { snapshotID, signal, enough: never }, (found) => {
      for (const entry of found) this.#keep(entry);
      entries += found.length;
    });
    if (entries === expected) return;
    // A name may hold a line break, and behind it whatever looks like another file. Nobody knows then what may go.
    const there = expected === undefined ? 'does not say how many it has' : `has ${formatCount(expected)}`;
    const text = `${formatCount(entries)} entries are listed, and the snapshot ${there}`;
    throw new AppError('invalid', `${BRING_UP}: its names cannot be told apart: ${text}`);
  }

  #keep({ path: text, type }: KopiaEntry): void {
    const path = bytePath(text);
    if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
      const shown = JSON.stringify(shownPath(path));
      throw new AppError('invalid', `${BRING_UP}: expected paths inside the volume, found ${shown}`);
    }
    this.#kept.add(path, KINDS[type]);
  }
}
