import { DatabaseSync } from 'node:sqlite';
import { AppError, messageOf } from '../base/index.ts';

/** Long enough to outlast those who only look; a true holder keeps the lock for good. */
const TAKE_WITHIN_MS = 500;

/**
 * A lock between processes that dies with its holder. SQLite's file lock is the operating system's, so a killed
 * process leaves nothing to clean up and a reused pid fools nobody.
 */
export class ProcessLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Undefined when another process holds it. */
  static tryTake(file: string): ProcessLock | undefined {
    const database = tryExecute(file, `PRAGMA busy_timeout = ${String(TAKE_WITHIN_MS)}; BEGIN EXCLUSIVE`);
    return database === undefined ? undefined : new ProcessLock(database);
  }

  /** Looks without taking: a reader is refused while somebody holds the lock, and readers do not hinder each other. */
  static isHeld(file: string): boolean {
    const database = tryExecute(file, 'PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_schema');
    database?.close();
    return database === undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function tryExecute(file: string, sql: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec(sql);
    return database;
  } catch (error) {
    database.close();
    if (messageOf(error).includes('locked')) return undefined;
    throw new AppError('invalid', `cannot lock ${file}: ${messageOf(error)}`, { cause: error });
  }
}
