import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AppError, type Clock } from '../../base/index.ts';
import type { FilesListing, VolumeFile, VolumeFilesAnswer } from '../../core/operations/index.ts';
import { parseListed } from '../../core/volumes/index.ts';
import type { VolumeListing } from '../ports.ts';
import type { FilesQuery } from './volume-contents.ts';

export interface ListingsOptions {
  spoolDir: string;
  clock: Clock;
  /** Of one list, and of all that are kept. */
  maxListBytes?: number;
  maxBytes?: number;
  /** How long one request waits for a list before it says how far it is. */
  waitMs?: number;
  /** Nobody has asked for so long: the rest is in vain. */
  leftMs?: number;
}

type Pages = Pick<VolumeFilesAnswer, 'files' | 'continue' | 'notes' | 'listing'>;

/** Starts the work; `maxBytes` is what it may give. */
type Begin = (call: VolumeListing & { id: string; maxBytes: number }) => Promise<void>;

interface Kept {
  file: string;
  /** Undefined while it is being made. */
  bytes: number | undefined;
  done: Promise<void>;
  stop: AbortController;
  startedAt: number;
  askedAt: number;
  users: number;
  isDropped: boolean;
  entries: number;
  waitsFor: string | undefined;
  notes: string[];
}

const MAX_LISTING = 4;
const MAX_KEPT = 8;
const MAX_NOTES = 20;
const MIB = 1024 ** 2;
const DEFAULTS = { maxListBytes: 256 * MIB, maxBytes: 1024 * MIB, waitMs: 1000, leftMs: 15_000 };

/**
 * Lists of files that take a mover to make. Each is made once, written to a file and kept for the next page, filter and
 * person: what a snapshot holds never changes. It goes on when one request ends, and ends when nobody asks again.
 */
export class Listings {
  readonly #options: Required<ListingsOptions>;
  readonly #kept = new Map<string, Kept>();
  readonly #working = new Set<Promise<void>>();

  constructor(options: ListingsOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** A page of the list, or how far it is. `key` is what the list is of. */
  async look(key: string, begin: Begin, query: FilesQuery, signal: AbortSignal): Promise<Pages> {
    const kept = this.#kept.get(key) ?? this.#begin(key, begin);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.users += 1;
    try {
      if (!(await this.#isDone(kept, signal))) return { files: [], listing: this.#progressOf(kept) };
      const { notes } = kept;
      return { ...(await readPage(kept.file, query, signal)), ...(notes.length === 0 ? {} : { notes: [...notes] }) };
    } finally {
      kept.users -= 1;
      kept.askedAt = this.#options.clock.uptime();
      if (kept.isDropped && kept.users === 0) await rm(kept.file, { force: true });
    }
  }

  /** Ends what is under way, with its pods. */
  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const { stop } of all) stop.abort(new AppError('canceled', 'the server stops'));
    await Promise.allSettled(this.#working);
    await Promise.all(all.map(({ file }) => rm(file, { force: true })));
  }

  #begin(key: string, begin: Begin): Kept {
    if (this.#working.size >= MAX_LISTING) {
      throw new AppError('throttled', 'list the files of a volume: too many are being listed', {
        retry: { afterMs: 2000 },
      });
    }
    const { spoolDir, clock, maxListBytes } = this.#options;
    const id = randomUUID();
    const now = clock.uptime();
    const kept: Kept = {
      ...{ file: join(spoolDir, `list-${id}`), bytes: undefined, done: Promise.resolve(), stop: new AbortController() },
      ...{ startedAt: now, askedAt: now, users: 0, isDropped: false },
      ...{ entries: 0, waitsFor: undefined, notes: [] },
    };
    const { signal } = kept.stop;
    const keep = async (list: AsyncIterable<Uint8Array>): Promise<void> => {
      // Of an attempt before, nothing counts.
      [kept.entries, kept.notes] = [0, []];
      await mkdir(spoolDir, { recursive: true, mode: 0o700 });
      await write(kept.file, list, maxListBytes);
    };
    const work = begin({
      ...{ id: id.slice(0, 8), maxBytes: maxListBytes, signal, keep },
      onProgress: (entries) => (kept.entries = entries),
      onNote: (text) => {
        if (kept.notes.length < MAX_NOTES) kept.notes.push(text);
      },
      onWaiting: (cause) => (kept.waitsFor = cause),
    });
    const over = new AbortController();
    kept.done = work
      .then(() => this.#ready(key, kept))
      .catch(async (error: unknown) => {
        // Whoever asks hears of it; the next look tries again.
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
        await rm(kept.file, { force: true });
        throw error;
      })
      .finally(() => {
        over.abort();
        this.#working.delete(kept.done);
      });
    kept.done.catch(() => undefined);
    this.#working.add(kept.done);
    void this.#watch(kept, over.signal);
    return kept;
  }

  async #isDone({ done }: Kept, signal: AbortSignal): Promise<boolean> {
    const { clock, waitMs } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(waitMs, AbortSignal.any([signal, over.signal])).then(() => false);
    late.catch(() => undefined);
    try {
      return await Promise.race([done.then(() => true), late]);
    } finally {
      over.abort();
    }
  }

  /** Ends a list that nobody waits for. */
  async #watch(kept: Kept, over: AbortSignal): Promise<void> {
    const { clock, leftMs } = this.#options;
    while (!over.aborted) {
      // It rejects only when the list is there, which the loop checks itself.
      await clock.sleep(leftMs / 3, over).catch(() => undefined);
      if (over.aborted || kept.users > 0 || clock.uptime() - kept.askedAt < leftMs) continue;
      kept.stop.abort(new AppError('canceled', 'list the files of a volume: nobody waits for it any more'));
      return;
    }
  }

  #progressOf({ startedAt, entries, waitsFor }: Kept): FilesListing {
    const seconds = Math.floor((this.#options.clock.uptime() - startedAt) / 1000);
    return { seconds, entries, ...(waitsFor === undefined || entries > 0 ? {} : { waitsFor }) };
  }

  async #ready(key: string, kept: Kept): Promise<void> {
    await using file = await open(kept.file, 'r');
    kept.bytes = (await file.stat()).size;
    let bytes = 0;
    for (const each of this.#kept.values()) bytes += each.bytes ?? 0;
    for (const [id, each] of this.#kept) {
      if (bytes <= this.#options.maxBytes && this.#kept.size <= MAX_KEPT) return;
      if (id === key || each.bytes === undefined) continue;
      this.#kept.delete(id);
      bytes -= each.bytes;
      each.isDropped = true;
      if (each.users === 0) await rm(each.file, { force: true });
    }
  }
}

async function write(path: string, list: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  let bytes = 0;
  for await (const piece of list) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new AppError('badAnswer', 'list the files of a volume: its mover gave more than asked');
    await file.writeFile(piece);
  }
}

/** The next page begins at a byte: those before it need not be read again. */
async function readPage(path: string, query: FilesQuery, signal: AbortSignal): Promise<Pages> {
  const { q, limit, continue: start = 0 } = query;
  const input = createReadStream(path, { start, signal });
  const files: VolumeFile[] = [];
  // Cheaper than to understand every line.
  const part = q === undefined ? '' : JSON.stringify(q).slice(1, -1);
  let at = start;
  try {
    for await (const line of createInterface({ input })) {
      const file = line.includes(part) ? parseListed(line) : undefined;
      if (file?.path.includes(q ?? '') === true) {
        if (files.length >= limit) return { files, continue: String(at) };
        files.push(file);
      }
      at += Buffer.byteLength(line) + 1;
    }
    return { files };
  } finally {
    input.destroy();
  }
}
