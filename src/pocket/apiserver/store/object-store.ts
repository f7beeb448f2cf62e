import { AppError, messageOf, stringifyJson, type Log } from '../../../base/index.ts';
import type { ApiObject } from '../object/api-object.ts';
import { ChangeLog, type ChangeLogLimits } from './change-log.ts';
import { MemoryTable } from './memory-table.ts';
import { Snapshot } from './snapshot.ts';
import type { StoreFile } from './store-file.ts';
import { Stored, type EventType, type StoreEvent } from './stored.ts';

interface Batch {
  events: StoreEvent[];
  /** What each key touched by the batch held before it, by resource: the disk's truth until the commit. */
  before: Map<string, Map<string, Stored | undefined>>;
  committed: Promise<void>;
  resolve: () => void;
  reject: (error: AppError) => void;
}

export interface Written {
  stored: Stored;
  /** Only after this may anybody outside be told of the write. */
  committed: Promise<void>;
}

const LOG_LIMITS: ChangeLogLimits = { events: 10_000, characters: 64 * 1024 * 1024 };

/**
 * All objects in memory, every write on disk before it is answered. Writes of one turn of the event loop share one
 * transaction; if that fails, memory goes back to what it was and every writer of the turn gets the error.
 */
export class ObjectStore {
  readonly changes: ChangeLog;
  readonly #file: StoreFile;
  readonly #log: Log;
  readonly #tables = new Map<string, MemoryTable>();
  readonly #listeners: ((event: StoreEvent) => void)[] = [];
  #rv: number;
  #committedRv: number;
  #batch: Batch | undefined;

  constructor(file: StoreFile, log: Log, limits: ChangeLogLimits = LOG_LIMITS) {
    this.#file = file;
    this.#log = log;
    const { rv, objects } = file.load();
    this.#rv = rv;
    this.#committedRv = rv;
    this.changes = new ChangeLog(rv, limits);
    for (const [resource, all] of objects) this.#table(resource).load(all);
  }

  /** The resourceVersion of the last committed write, which is the one of a list made now. */
  get rv(): number {
    return this.#committedRv;
  }

  /** The newest version, which may not be on the disk yet: for writers, whose answer waits for the same commit. */
  get(resource: string, namespace: string, name: string): Stored | undefined {
    return this.#tables.get(resource)?.get(`${namespace}/${name}`);
  }

  /** As `get`, for writers. */
  list(resource: string, namespace?: string): Stored[] {
    return this.#tables.get(resource)?.values(namespace) ?? [];
  }

  count(resource: string): number {
    return this.#tables.get(resource)?.size ?? 0;
  }

  /** What a reader may see: committed, so that no crash can undo what somebody was told. */
  read(resource: string, namespace: string, name: string): Stored | undefined {
    const key = `${namespace}/${name}`;
    const before = this.#batch?.before.get(resource);
    return before?.has(key) === true ? before.get(key) : this.#tables.get(resource)?.get(key);
  }

  /** The committed objects of a resource as of `rv`, or undefined when the change log does not reach back that far. */
  snapshot(resource: string, rv: number = this.#committedRv): Snapshot | undefined {
    const changed =
      rv === this.#committedRv ? new Map<string, Stored | undefined>() : this.changes.stateBefore(rv, resource);
    if (changed === undefined) return undefined;
    for (const [key, stored] of this.#batch?.before.get(resource) ?? []) {
      if (!changed.has(key)) changed.set(key, stored);
    }
    return new Snapshot(this.#tables.get(resource) ?? new MemoryTable(), changed);
  }

  /** The commit of what is pending now, for an answer that rests on it. */
  settled(): Promise<void> | undefined {
    return this.#batch?.committed;
  }

  /** Called once per committed write, in order, before the writer is answered. */
  onCommit(listener: (event: StoreEvent) => void): void {
    this.#listeners.push(listener);
  }

  put(resource: string, object: ApiObject): Written {
    const namespace = object.metadata.namespace ?? '';
    const previous = this.get(resource, namespace, object.metadata.name);
    const stored = this.#version(resource, object);
    this.#table(resource).set(stored);
    return this.#record(previous === undefined ? 'ADDED' : 'MODIFIED', stored, previous);
  }

  /** `last` is the state that the DELETED event shows. */
  remove(resource: string, last: ApiObject): Written {
    const previous = this.get(resource, last.metadata.namespace ?? '', last.metadata.name);
    const stored = this.#version(resource, last);
    this.#table(resource).delete(stored.key);
    return this.#record('DELETED', stored, previous);
  }

  /** Commits what is pending and closes the file; later writes fail. */
  close(): void {
    this.#flush();
    this.#file.close();
  }

  #version(resource: string, object: ApiObject): Stored {
    this.#rv += 1;
    object.metadata.resourceVersion = String(this.#rv);
    const { namespace = '', name } = object.metadata;
    return new Stored(resource, { namespace, name, rv: this.#rv }, stringifyJson(object));
  }

  #record(type: EventType, object: Stored, previous: Stored | undefined): Written {
    const batch = (this.#batch ??= this.#newBatch());
    batch.events.push({ type, rv: object.rv, object, previous });
    const before = batch.before.get(object.resource) ?? new Map<string, Stored | undefined>();
    if (!before.has(object.key)) before.set(object.key, previous);
    batch.before.set(object.resource, before);
    return { stored: object, committed: batch.committed };
  }

  #newBatch(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    // The writers hear of a failure through their own await; this keeps it from being unhandled as well.
    promise.catch(() => undefined);
    setImmediate(() => {
      this.#flush();
    });
    return {
      events: [],
      before: new Map(),
      committed: promise,
      resolve: () => {
        resolve(undefined);
      },
      reject,
    };
  }

  #flush(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    try {
      this.#file.commit(
        batch.events.map(({ type, object }) => ({ of: object, next: type === 'DELETED' ? undefined : object })),
        this.#rv,
      );
    } catch (error) {
      this.#undo(batch.events);
      this.#log.error('pocket store could not write', { err: messageOf(error), writes: batch.events.length });
      batch.reject(
        new AppError('serverError', `storing ${batch.events.length} objects failed: ${messageOf(error)}`, {
          cause: error,
        }),
      );
      return;
    }
    this.#committedRv = this.#rv;
    for (const event of batch.events) {
      this.changes.append(event);
      for (const listener of this.#listeners) listener(event);
    }
    batch.resolve();
  }

  #undo(events: readonly StoreEvent[]): void {
    for (const { object, previous } of events.toReversed()) {
      if (previous === undefined) this.#table(object.resource).delete(object.key);
      else this.#table(object.resource).set(previous);
    }
  }

  #table(resource: string): MemoryTable {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = new MemoryTable();
      this.#tables.set(resource, table);
    }
    return table;
  }
}
