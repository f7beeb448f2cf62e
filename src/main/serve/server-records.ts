import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isObject, parseJson, textAt, valueAt } from '../../base/index.ts';
import { ProcessLock } from '../process-lock.ts';

/** What a running server tells the commands of the same user about itself. */
export interface ServerRecord {
  url: string;
  /** The names of the clusters that it serves. */
  clusters: readonly string[];
  /** With it the server at the address proves that it is the one that wrote this. */
  proofKey: Uint8Array;
  startedAt: string;
}

/**
 * Where the commands of this machine's user find the servers that run here: a file for each, good for as long as its
 * writer holds the lock beside it. A killed server leaves a file that nobody believes.
 */
export class ServerRecords {
  readonly #directory: string;

  constructor(home: string) {
    this.#directory = join(home, 'servers');
  }

  /** Stands until it is disposed of, or until the process ends in whatever way. */
  add(id: string, record: ServerRecord): Disposable {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    for (const each of this.#ids()) if (!this.#isHeld(each)) this.#remove(each);
    const lock = ProcessLock.tryTake(this.#file(id, 'lock'));
    if (lock === undefined) throw new AppError('bug', `write the record of server ${id}: somebody else has its lock`);
    const text = JSON.stringify({ ...record, proofKey: Buffer.from(record.proofKey).toString('base64url') });
    writeFileSync(this.#file(id, 'new'), `${text}\n`, { mode: 0o600 });
    renameSync(this.#file(id, 'new'), this.#file(id, 'json'));
    return {
      [Symbol.dispose]: () => {
        this.#remove(id);
        lock[Symbol.dispose]();
      },
    };
  }

  /** The newest first. */
  running(): ServerRecord[] {
    const records = this.#ids()
      .filter((id) => this.#isHeld(id))
      .flatMap((id) => this.#read(id) ?? []);
    return records.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  #ids(): string[] {
    if (!existsSync(this.#directory)) return [];
    const files = readdirSync(this.#directory).filter((file) => file.endsWith('.json'));
    return files.map((file) => file.slice(0, -'.json'.length));
  }

  #isHeld(id: string): boolean {
    const lock = this.#file(id, 'lock');
    return existsSync(lock) && ProcessLock.isHeld(lock);
  }

  #read(id: string): ServerRecord | undefined {
    let parsed: unknown;
    try {
      parsed = parseJson(readFileSync(this.#file(id, 'json'), 'utf8'));
    } catch {
      // It ended in this moment, or is of another version: nobody can be found by it.
      return undefined;
    }
    const record = isObject(parsed) ? parsed : {};
    const [url, proofKey, clusters] = [textAt(record, 'url'), textAt(record, 'proofKey'), valueAt(record, 'clusters')];
    if (url === undefined || proofKey === undefined || !Array.isArray(clusters)) return undefined;
    return {
      url,
      clusters: clusters.filter((name) => typeof name === 'string'),
      proofKey: Buffer.from(proofKey, 'base64url'),
      startedAt: textAt(record, 'startedAt') ?? '',
    };
  }

  #remove(id: string): void {
    // The last is SQLite's, for as long as the lock is held.
    for (const kind of ['json', 'lock', 'lock-journal'] as const) rmSync(this.#file(id, kind), { force: true });
  }

  #file(id: string, kind: 'json' | 'lock' | 'lock-journal' | 'new'): string {
    return join(this.#directory, `${id}.${kind}`);
  }
}
