import { constants } from 'node:fs';
import { lstat, open, readdir, unlink } from 'node:fs/promises';
import { AppError } from '../../../base/index.ts';
import { within } from '../deadline.ts';
import { checkPrefix } from '../key.ts';
import { ListBudget, type ListLimits } from '../list-budget.ts';
import type { CallOptions, GetOptions, ObjectFacts, PutOptions, Source, Store, StoredObject, Upload } from '../port.ts';
import { fsError, systemCode } from './fs-errors.ts';
import { closeUnwaited, readFile } from './fs-read.ts';
import { putFile } from './fs-put.ts';
import { fileProblem, type FsTree, UPLOADS } from './fs-tree.ts';
import { objectFacts, type Walk, walkFiles, walkPrefixes } from './fs-walk.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface FsLimits {
  /** For one system call, or a few. */
  callMs: number;
  list: ListLimits;
}

/** Objects as files: the key is the path below the root. */
export class FsStore implements Store {
  readonly where: string;
  readonly #tree: FsTree;
  readonly #root: readonly string[];
  readonly #limits: FsLimits;

  /** `root` is a path below the tree's base; it need not exist before the first put. */
  constructor(tree: FsTree, root: readonly string[], limits: FsLimits) {
    this.#tree = tree;
    this.#root = root;
    this.#limits = limits;
    this.where = `directory ${tree.at(root)}`;
  }

  async put(key: string, source: Source, options: PutOptions = {}): Promise<{ size: number }> {
    this.#check(key);
    // Not retried step by step: what a failed write left behind is unknown.
    const walk = this.#walk(`put ${key} into`, { signal: options.signal });
    return await putFile(walk, key, source, options);
  }

  async get(key: string, options: GetOptions = {}): Promise<StoredObject> {
    const parts = this.#check(key);
    const walk = this.#walk(`get ${key} from`, options);
    const { handle, facts } = await walk.step(async (signal) => {
      await this.#regularFile(parts);
      // Without O_NONBLOCK, a pipe in place of the file would block us forever.
      const opened = await open(this.#path(parts), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const stat = await opened.stat({ bigint: true });
        signal.throwIfAborted();
        return { handle: opened, facts: objectFacts(key, stat) };
      } catch (error) {
        closeUnwaited(opened);
        throw error;
      }
    });
    try {
      const body = readFile({ handle, facts, walk, where: this.where }, options);
      // A generator that was never started skips its finally block, and the file would stay open.
      await body.next();
      return { ...facts, body };
    } catch (error) {
      closeUnwaited(handle);
      throw error;
    }
  }

  async head(key: string, options: CallOptions = {}): Promise<ObjectFacts> {
    const parts = this.#check(key);
    return await this.#walk(`look at ${key} in`, options).step(async () => {
      await this.#regularFile(parts);
      return objectFacts(key, await lstat(this.#path(parts), { bigint: true }));
    });
  }

  async delete(key: string, options: CallOptions = {}): Promise<void> {
    const parts = this.#check(key);
    await this.#walk(`delete ${key} from`, options).step(async () => {
      const folder = [...this.#root, ...parts.slice(0, -1)];
      if (!(await this.#tree.isDirectory(folder))) return;
      if ((await this.#tree.kindOf([...this.#root, ...parts])) !== 'file') return;
      try {
        await unlink(this.#path(parts));
        await this.#tree.sync(folder);
      } catch (error) {
        // Deleted by somebody else, perhaps with its directory.
        if (systemCode(error) !== 'ENOENT') throw error;
      }
      await this.#tree.removeEmpty(folder, this.#root.length);
    });
  }

  async *list(prefix: string, options: CallOptions = {}): AsyncGenerator<ObjectFacts> {
    checkPrefix(prefix);
    yield* walkFiles(this.#walk(`list ${prefix} in`, options), prefix);
  }

  async *listPrefixes(prefix: string, options: CallOptions = {}): AsyncGenerator<string> {
    checkPrefix(prefix);
    yield* walkPrefixes(this.#walk(`list ${prefix} in`, options), prefix);
  }

  async *listUploads(prefix: string, options: CallOptions = {}): AsyncGenerator<Upload> {
    checkPrefix(prefix);
    const walk = this.#walk(`list uploads of ${prefix} in`, options);
    const home = [...this.#root, UPLOADS];
    const ids = await walk.step(async () =>
      (await this.#tree.isDirectory(home)) ? await readdir(this.#tree.at(home)) : [],
    );
    for (const id of ids.filter((name) => UUID.test(name)).sort()) {
      for await (const { key, modified } of walkFiles({ ...walk, root: [...home, id] }, prefix)) {
        yield { key, id, started: modified };
      }
    }
  }

  async abortUpload({ key, id }: Upload, options: CallOptions = {}): Promise<void> {
    if (!UUID.test(id))
      throw new AppError('invalid', `abort an upload of ${key}: its id ${JSON.stringify(id)} is not ours`);
    const home = [...this.#root, UPLOADS];
    await this.#walk(`abort an upload of ${key} in`, options).step(async () => {
      if (!(await this.#tree.isDirectory(home))) return;
      await this.#tree.remove([...home, id]);
      await this.#tree.removeEmpty(home, this.#root.length);
    });
  }

  downloadUrl(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): void {
    // Files are closed by their readers.
  }

  #check(key: string): string[] {
    const problem = fileProblem(key);
    if (problem === undefined) return key.split('/');
    throw new AppError('invalid', `use ${JSON.stringify(key.slice(0, 200))} as the key of an object: ${problem}`);
  }

  #path(parts: readonly string[]): string {
    return this.#tree.at([...this.#root, ...parts]);
  }

  async #regularFile(parts: readonly string[]): Promise<void> {
    const isThere =
      (await this.#tree.isDirectory([...this.#root, ...parts.slice(0, -1)])) &&
      (await this.#tree.kindOf([...this.#root, ...parts])) === 'file';
    if (!isThere) throw Object.assign(new Error('no such object'), { code: 'ENOENT', syscall: 'open' });
  }

  #walk(attempted: string, { signal, retry = (request) => request() }: CallOptions): Walk {
    const what = `${attempted} ${this.where}`;
    const { callMs, list } = this.#limits;
    return {
      tree: this.#tree,
      root: this.#root,
      limitMs: callMs,
      newBudget: () => new ListBudget(what, list),
      step: (work) =>
        retry(async () => {
          try {
            return await within({ limitMs: callMs, what, signal }, work);
          } catch (error) {
            throw fsError(what, error);
          }
        }),
    };
  }
}
