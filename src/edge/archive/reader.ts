import { createHash } from 'node:crypto';
import { AppError, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { parseItem } from './check-item.ts';
import { Reading, idOf, type ItemProblem, type ReadOptions, type ReadProgress } from './reading.ts';
import { Spool } from './spool.ts';

export interface OpenOptions extends ReadOptions {
  /** A file that is not there yet; it is removed by `close`. */
  spoolPath: string;
}

/** An archive that was read and checked whole. */
export interface Archive {
  /** In the order of the archive. */
  entries(): IterableIterator<ItemKey>;
  has(key: ItemKey): boolean;
  read(key: ItemKey): Promise<JsonObject>;
  readonly problems: readonly ItemProblem[];
  readonly counts: Readonly<ReadProgress>;
  /** Of the compressed bytes. */
  readonly sha256: string;
  close(): Promise<void>;
}

/**
 * Streams an archive once into a spool file and checks it whole, so that nothing is created from a bad one. A corrupt,
 * oversized or hostile archive is an error; single bad items are `problems`.
 */
export async function openArchive(stream: AsyncIterable<Uint8Array>, options: OpenOptions): Promise<Archive> {
  options.signal?.throwIfAborted();
  const spool = await Spool.create(options.spoolPath);
  try {
    const reading = new Reading(spool, options);
    const hash = createHash('sha256');
    await reading.run(stream, (bytes) => hash.update(bytes));
    await spool.flush();
    return archiveOf(reading, spool, hash.digest('hex'));
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function archiveOf(reading: Reading, spool: Spool, sha256: string): Archive {
  const { index, problems, counts } = reading;
  return {
    *entries() {
      for (const { key } of index.values()) yield key;
    },
    has: (key) => index.has(idOf(key)),
    read: async (key) => {
      const located = index.get(idOf(key));
      if (located === undefined) throw new AppError('notFound', `read archive: it has no item ${idOf(key)}`);
      return parseItem(await spool.read(located), key, idOf(key));
    },
    problems,
    counts,
    sha256,
    close: () => spool.close(),
  };
}
