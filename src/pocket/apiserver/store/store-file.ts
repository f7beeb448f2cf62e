import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { AppError, messageOf, textAt, type Json } from '../../../base/index.ts';
import { Stored } from './stored.ts';

const APPLICATION_ID = 0x48445057;
const LAYOUT_VERSION = 1;

const LAYOUT = `
  CREATE TABLE objects (
    resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, rv INTEGER NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (resource, namespace, name)
  ) WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta (key, value) VALUES ('rv', 1);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${LAYOUT_VERSION}`;

export interface FileChange {
  /** What the key holds from now on; undefined removes it. */
  next: Stored | undefined;
  of: Stored;
}

/** The database file: every object's text, and the last resourceVersion. One process owns it at a time. */
export class StoreFile {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #setRv: StatementSync;

  constructor(path: string, options: { maxPages?: number } = {}) {
    this.#path = path;
    this.#db = openDatabase(path);
    if (options.maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    this.#put = this.#db.prepare(
      'INSERT INTO objects (resource, namespace, name, rv, json) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT (resource, namespace, name) DO UPDATE SET rv = excluded.rv, json = excluded.json',
    );
    this.#remove = this.#db.prepare('DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?');
    this.#setRv = this.#db.prepare("UPDATE meta SET value = ? WHERE key = 'rv'");
  }

  /** The last resourceVersion and every object, grouped by resource. Throws when the file is damaged. */
  load(): { rv: number; objects: Map<string, Stored[]> } {
    try {
      return this.#load();
    } catch (error) {
      throw translate(error, this.#path);
    }
  }

  #load(): { rv: number; objects: Map<string, Stored[]> } {
    const objects = new Map<string, Stored[]>();
    const meta = this.#db.prepare("SELECT value FROM meta WHERE key = 'rv'").get();
    const rows = this.#db.prepare('SELECT resource, namespace, name, rv, json FROM objects').iterate();
    for (const row of rows) {
      const resource = String(row['resource']);
      const identity = { namespace: String(row['namespace']), name: String(row['name']), rv: Number(row['rv']) };
      const stored = new Stored(resource, identity, String(row['json']));
      checkText(stored);
      const group = objects.get(resource) ?? [];
      group.push(stored);
      objects.set(resource, group);
    }
    return { rv: Number(meta?.['value'] ?? 0), objects };
  }

  /** All of it is on the disk when this returns, or nothing is when it throws. */
  commit(changes: readonly FileChange[], rv: number): void {
    this.#db.exec('BEGIN');
    try {
      for (const { next, of } of changes) {
        if (next === undefined) this.#remove.run(of.resource, of.namespace, of.name);
        else this.#put.run(next.resource, next.namespace, next.name, next.rv, next.json);
      }
      this.#setRv.run(rv);
      this.#db.exec('COMMIT');
    } catch (error) {
      // Some errors, a full disk among them, have rolled back already.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }
}

function openDatabase(path: string): DatabaseSync {
  const isNew = !existsSync(path);
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new AppError('invalidConfig', `opening the pocket database ${path} failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
  try {
    // Exclusive from the first statement on, so that a second process is told instead of sharing the file.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const isLaidOut = !isNew && checkOwner(db, path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; BEGIN EXCLUSIVE');
    // Nothing is written to a file that was laid out before: it may turn out to be damaged.
    db.exec(isLaidOut ? 'COMMIT' : `${LAYOUT}; COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw translate(error, path);
  }
}

/** Whether the file is laid out already. */
function checkOwner(db: DatabaseSync, path: string): boolean {
  const id = Number(db.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
  const layout = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] ?? 0);
  if (id === APPLICATION_ID && layout === LAYOUT_VERSION) return true;
  // A file that a killed first start left empty is ours to fill.
  if (id === 0 && layout === 0 && tables === 0) return false;
  const found = id === APPLICATION_ID ? `layout version ${layout}` : `application id ${id}`;
  throw new AppError(
    'invalidConfig',
    `${path} is not a pocket database of this version: expected application id ${APPLICATION_ID} with layout version ${LAYOUT_VERSION}, found ${found}; it was left as it is`,
  );
}

/** SQLite knows when its pages are damaged, but not when a text inside them is: that would only be found out in use. */
function checkText({ resource, key, name, rv, json }: Stored): void {
  const damage = (why: string): Error => new Error(`the text of ${resource} "${key}" is damaged: ${why}`);
  let object: Json;
  try {
    // Whole numbers may be rounded here: nothing but their being there is looked at.
    object = JSON.parse(json) as Json;
  } catch (error) {
    throw damage(messageOf(error));
  }
  const found = `${textAt(object, 'metadata', 'name') ?? ''} at ${textAt(object, 'metadata', 'resourceVersion') ?? ''}`;
  if (found !== `${name} at ${rv}`) throw damage(`expected ${name} at ${rv}, found ${found}`);
}

function translate(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (/database is locked/.test(message)) {
    return new AppError('conflict', `another process is using the pocket database ${path}`, { cause: error });
  }
  return new AppError(
    'invalidConfig',
    `the pocket database ${path} cannot be read: ${message}; it was left as it is, and a new one is made when it is moved away`,
    { cause: error },
  );
}
