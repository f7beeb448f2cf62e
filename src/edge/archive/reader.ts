import { createHash } from 'node:crypto';
import { AppError, leaveUnread, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { parseItem, parseLean } from './check-item.ts';
import { idOf, type Place } from './item-index.ts';
import { ArchivePass, type ItemProblem, type ReadOptions, type ReadProgress } from './archive-pass.ts';
import { Spool } from './spool.ts';
import { inTurns } from './turns.ts';

export interface OpenOptions extends ReadOptions {
  /** A file that does not exist yet; `close` removes it. */
  spoolPath: string;
}

/** An archive that was read to its end and checked. */
export interface Archive {
  /** In archive order. It yields to other work now and then, because there may be a million. */
  entries(): AsyncGenerator<ItemKey>;
  has(key: ItemKey): boolean;
  read(key: ItemKey): Promise<JsonObject>;
  /**
   * The same with empty managedFields, if nobody has applied anything there: whoever has no use for them need not
   * wait for half of an item to be parsed.
   */
  readLean(key: ItemKey): Promise<JsonObject>;
  readonly problems: readonly ItemProblem[];
  /** About the archive as a whole, such as a newer format version. */
  readonly warnings: readonly string[];
  readonly counts: Readonly<ReadProgress>;
  /** Memory used while it is open. */
  readonly indexBytes: number;
  /** Hash of the compressed bytes. */
  readonly sha256: string;
  close(): Promise<void>;
}

/**
 * Streams an archive once into a spool file and checks all of it, so that nothing is created from a bad one; only items of
 * types in `onlyNames` are not looked into. A corrupt, oversized or hostile archive is an error; single bad items are
 * `problems`. The stream's chunks must stay valid, as those of a stored object do.
 */
export async function openArchive(stream: AsyncIterable<Uint8Array>, options: OpenOptions): Promise<Archive> {
  const spool = await newSpool(stream, options);
  try {
    const pass = new ArchivePass(spool, options);
    const hash = createHash('sha256');
    await pass.run(stream, (bytes) => hash.update(bytes));
    await spool.flush();
    return archiveOf(pass, spool, hash.digest('hex'));
  } catch (error) {
    // Why it failed says more than why its file stayed.
    await spool.close().catch(() => undefined);
    throw error;
  }
}

async function newSpool(stream: AsyncIterable<Uint8Array>, { spoolPath, signal }: OpenOptions): Promise<Spool> {
  try {
    signal?.throwIfAborted();
    return await Spool.create(spoolPath);
  } catch (error) {
    await leaveUnread(stream);
    throw error;
  }
}

function archiveOf(pass: ArchivePass, spool: Spool, sha256: string): Archive {
  const { index, problems, warnings, counts } = pass;
  const placeOf = (key: ItemKey): Place => {
    const place = index.find(key);
    if (place === undefined) throw new AppError('notFound', `read archive: it has no item ${idOf(key)}`);
    if (place.length === 0) throw new AppError('bug', `read archive: only the name of ${idOf(key)} was kept`);
    return place;
  };
  return {
    entries: () => inTurns(index.keys()),
    has: (key) => index.find(key) !== undefined,
    read: async (key) => await parseItem(await spool.read(placeOf(key)), key, idOf(key)),
    readLean: async (key) => {
      const place = placeOf(key);
      const bytes = await spool.read(place);
      return await (place.cut === undefined
        ? parseItem(bytes, key, idOf(key))
        : parseLean(bytes, place.cut, idOf(key)));
    },
    problems,
    warnings,
    counts,
    indexBytes: index.bytes,
    sha256,
    close: () => spool.close(),
  };
}
