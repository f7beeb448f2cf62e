import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { VELERO_LAYOUT } from '../../core/backup/index.ts';
import { openArchive, type Archive } from '../../edge/archive/index.ts';
import { backupKeys } from '../../edge/store/index.ts';
import type { OpenStore } from '../ports.ts';
import { waitFor } from './wait-for.ts';

interface Kept {
  archive: Promise<Archive>;
  bytes: number;
  indexBytes: number;
  /** Looks that go on; it is not closed under them. */
  users: number;
  isDropped: boolean;
}

export interface ArchivesOptions {
  spoolDir: string;
  /** Of the spool files together. */
  maxBytes: number;
}

const MAX_OPENING = 4;
/** In memory, where an archive is its index; one of a million items takes 120 MB. */
const MAX_INDEX_BYTES = 128 * 1024 ** 2;
const MAX_ARCHIVES = 8;

/** Archives that are looked into, each downloaded and checked once and kept for the next look. */
export class Archives {
  readonly #options: ArchivesOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #stop = new AbortController();
  #opening = 0;

  constructor(options: ArchivesOptions) {
    this.#options = options;
  }

  /** `look` must not keep the archive. */
  async use<T>(
    opened: OpenStore,
    backup: string,
    look: (archive: Archive) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const key = backupKeys(backup).contents;
    const { version } = await opened.store.head(key, { signal });
    const kept = this.#find(opened, key, version);
    kept.users += 1;
    try {
      return await look(await waitFor(kept.archive, signal));
    } finally {
      kept.users -= 1;
      if (kept.isDropped && kept.users === 0) await close(kept);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(close));
  }

  #find(opened: OpenStore, key: string, version: string): Kept {
    const id = `${opened.store.where} ${key} ${version}`;
    const known = this.#kept.get(id);
    if (known !== undefined) {
      this.#kept.delete(id);
      this.#kept.set(id, known);
      return known;
    }
    if (this.#opening >= MAX_OPENING) {
      throw new AppError('throttled', 'look into the backup: too many archives are being opened', {
        retry: { afterMs: 2000 },
      });
    }
    const kept: Kept = {
      archive: this.#open(opened.share(), key, version),
      bytes: 0,
      indexBytes: 0,
      users: 0,
      isDropped: false,
    };
    this.#kept.set(id, kept);
    kept.archive.then(
      ({ counts, indexBytes }) => {
        kept.bytes = counts.tarBytes;
        kept.indexBytes = indexBytes;
        this.#makeRoom(id);
      },
      () => {
        // Whoever looks hears of it; the next look tries again.
        this.#kept.delete(id);
      },
    );
    return kept;
  }

  /** It goes on when the one who asked first leaves: the next is already waiting for it, or will be. */
  async #open(opened: OpenStore, key: string, version: string): Promise<Archive> {
    using inUse = opened;
    this.#opening += 1;
    try {
      await mkdir(this.#options.spoolDir, { recursive: true, mode: 0o700 });
      const { signal } = this.#stop;
      const { body } = await inUse.store.get(key, { version, signal });
      const spoolPath = join(this.#options.spoolDir, `look-${randomUUID()}`);
      return await openArchive(body, {
        layout: VELERO_LAYOUT,
        spoolPath,
        signal,
        limits: { maxArchiveBytes: this.#options.maxBytes },
      });
    } finally {
      this.#opening -= 1;
    }
  }

  #makeRoom(newest: string): void {
    let [bytes, indexBytes] = [0, 0];
    for (const kept of this.#kept.values()) {
      bytes += kept.bytes;
      indexBytes += kept.indexBytes;
    }
    for (const [id, kept] of this.#kept) {
      const isRoom = bytes <= this.#options.maxBytes && indexBytes <= MAX_INDEX_BYTES;
      if (isRoom && this.#kept.size <= MAX_ARCHIVES) return;
      if (id === newest) continue;
      this.#kept.delete(id);
      bytes -= kept.bytes;
      indexBytes -= kept.indexBytes;
      kept.isDropped = true;
      if (kept.users === 0) void close(kept);
    }
  }
}

async function close(kept: Kept): Promise<void> {
  // One that could not be opened has removed its file already.
  const archive = await kept.archive.catch(() => undefined);
  await archive?.close();
}
