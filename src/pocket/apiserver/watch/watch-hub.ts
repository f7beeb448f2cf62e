import type { CancelSignal, Clock } from '../../../base/index.ts';
import { isSelected, type Selection } from '../list/index.ts';
import type { EventType, ObjectStore, Stored, StoreEvent } from '../store/index.ts';

/** Where a watch goes. None of these may throw or wait. */
export interface WatchSink {
  /**
   * `memo` lives for one write: what many watchers send alike is made once. It is absent for what the watch begins
   * with, which can be more than a client takes at once.
   */
  event(type: EventType, object: Stored, memo?: Map<string, Buffer>): void;
  bookmark(rv: number, isEndOfInitial: boolean): void;
  /** The watch cannot go on; the client must list again. */
  expired(message: string): void;
  end(): void;
}

export interface WatchOptions {
  /** Events after this one; undefined or 0 begins with everything there is. */
  rv?: number | undefined;
  /** WatchList: everything there is, and a bookmark that says so. False: only what comes from now on. */
  sendInitialEvents?: boolean | undefined;
  bookmarks?: boolean;
  /** An hour unless said otherwise. */
  timeoutMs?: number;
}

interface Watcher {
  selection: Selection;
  sink: WatchSink;
  bookmarks: boolean;
  /** Events up to this one are known to the client. */
  after: number;
  endsAt: number;
}

const BOOKMARK_EVERY_MS = 10_000;
const TICK_MS = 1000;
const LONGEST_MS = 3_600_000;

/** Hands every committed write to the watches it concerns, in order. */
export class WatchHub {
  readonly #store: ObjectStore;
  readonly #now: () => number;
  readonly #watchers = new Map<string, Set<Watcher>>();

  constructor(store: ObjectStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    store.onCommit((event) => {
      this.#dispatch(event);
    });
  }

  get size(): number {
    let size = 0;
    for (const watchers of this.#watchers.values()) size += watchers.size;
    return size;
  }

  /** Begins a watch; the function returned ends it from the client's side. */
  start(selection: Selection, sink: WatchSink, options: WatchOptions = {}): () => void {
    const { resource } = selection;
    const asked = options.rv ?? 0;
    const watcher: Watcher = {
      selection,
      sink,
      bookmarks: options.bookmarks === true,
      after: Math.max(asked, this.#store.rv),
      endsAt: this.#now() + (options.timeoutMs ?? LONGEST_MS),
    };
    if (options.sendInitialEvents ?? asked === 0) this.#sendAll(watcher, options);
    else if (asked > 0 && !this.#sendMissed(watcher, asked)) return () => undefined;
    const watchers = this.#watchers.get(resource.storage) ?? new Set();
    this.#watchers.set(resource.storage, watchers);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  }

  /** Ends watches whose time is up and sends bookmarks, until the signal. */
  async run(clock: Clock, signal: CancelSignal): Promise<void> {
    let bookmarkAt = clock.now() + BOOKMARK_EVERY_MS;
    while (!signal.aborted) {
      try {
        await clock.sleep(TICK_MS, signal);
      } catch {
        // Only the signal ends the sleep early.
        return;
      }
      const isBookmark = clock.now() >= bookmarkAt;
      if (isBookmark) bookmarkAt = clock.now() + BOOKMARK_EVERY_MS;
      this.#tick(clock.now(), isBookmark);
    }
  }

  /** Ends every watch, as a server does that stops. */
  close(): void {
    for (const watchers of this.#watchers.values()) {
      for (const { sink } of watchers) sink.end();
      watchers.clear();
    }
  }

  /** Ends the watches of a resource that is no longer served. */
  closeResource(storage: string): void {
    for (const { sink } of this.#watchers.get(storage) ?? []) sink.end();
    this.#watchers.delete(storage);
  }

  #tick(now: number, isBookmark: boolean): void {
    for (const watchers of this.#watchers.values()) {
      for (const watcher of watchers) {
        if (now >= watcher.endsAt) {
          watchers.delete(watcher);
          watcher.sink.end();
        } else if (isBookmark && watcher.bookmarks) {
          watcher.sink.bookmark(Math.max(this.#store.rv, watcher.after), false);
        }
      }
    }
  }

  #sendAll({ selection, sink, bookmarks }: Watcher, options: WatchOptions): void {
    const snapshot = this.#store.snapshot(selection.resource.storage);
    for (const key of snapshot?.keys(selection.namespace) ?? []) {
      const stored = snapshot?.get(key);
      if (stored !== undefined && isSelected(selection, stored)) sink.event('ADDED', stored);
    }
    if (bookmarks && options.sendInitialEvents === true) sink.bookmark(this.#store.rv, true);
  }

  #sendMissed({ selection, sink }: Watcher, rv: number): boolean {
    const missed = this.#store.changes.since(rv, selection.resource.storage);
    if (missed === undefined) {
      sink.expired(`too old resource version: ${rv} (${this.#store.changes.floor})`);
      return false;
    }
    for (const event of missed) deliver(selection, sink, event);
    return true;
  }

  #dispatch(event: StoreEvent): void {
    const memo = new Map<string, Buffer>();
    for (const { selection, sink, after } of this.#watchers.get(event.object.resource) ?? []) {
      if (event.rv > after) deliver(selection, sink, event, memo);
    }
  }
}

/** A change may move an object into or out of a selection: for that watch it is added or deleted. */
function deliver(selection: Selection, sink: WatchSink, event: StoreEvent, memo?: Map<string, Buffer>): void {
  const { type, object, previous } = event;
  if (selection.namespace !== undefined && object.namespace !== selection.namespace) return;
  const is = type !== 'DELETED' && isSelected(selection, object);
  const was = previous !== undefined && isSelected(selection, previous);
  if (is) sink.event(was ? 'MODIFIED' : 'ADDED', object, memo);
  else if (was) sink.event('DELETED', type === 'DELETED' ? object : departed(previous, event.rv), memo);
}

/** What left a selection is shown as it was while it was in, under the version of the change. */
function departed(previous: Stored, rv: number): Stored {
  const object = previous.copy();
  object.metadata.resourceVersion = String(rv);
  return previous.as(object, rv);
}
