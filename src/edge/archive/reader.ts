import { createHash } from 'node:crypto';
import { AppError, formatBytes, isAppError, leaveUnread, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { idOf } from './item-index.ts';
import { ArchivePass, type ItemProblem, type ReadOptions, type ReadProgress } from './archive-pass.ts';
import { Spool } from './spool.ts';
import { inTurns } from './turns.ts';

export interface OpenOptions extends ReadOptions {
  /** A file that does not exist yet; `close` removes it. */
  spoolPath: string;
  /**
   * What its writer recorded of it. Another archive is an error; the items of this one are as they were written, so they
   * are parsed and checked when they are read, and not twice (docs/adr/0033).
   */
  sha256?: string | undefined;
}

/** An archive that was completely read and checked. */
export interface Archive {
  /** In archive order. It yields to other work now and then, because there may be a million. */
  entries(): AsyncGenerator<ItemKey>;
  has(key: ItemKey): boolean;
  read(key: ItemKey): Promise<JsonObject>;
  /** Undefined if there is no such item, or it is broken: for those who can do without, while another restores it. */
  look(key: ItemKey): Promise<JsonObject | undefined>;
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
 * Streams an archive once into a spool file and checks all of it, so that nothing is created from a bad one. A corrupt,
 * oversized or hostile archive is an error; single bad items are `problems`. With a known hash those that a forger made
 * are found when they are read.
 */
export async function openArchive(stream: AsyncIterable<Uint8Array>, options: OpenOptions): Promise<Archive> {
  const spool = await newSpool(stream, options);
  try {
    const { sha256: expected } = options;
    const pass = new ArchivePass(spool, options, expected === undefined);
    const hash = createHash('sha256');
    await pass.run(stream, (bytes) => hash.update(bytes));
    await spool.flush();
    const sha256 = hash.digest('hex');
    if (expected !== undefined && sha256 !== expected) throw exchanged(expected, sha256, pass.counts);
    return archiveOf(pass, spool, sha256);
  } catch (error) {
    await spool.close();
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

function exchanged(expected: string, found: string, { archiveBytes }: ReadProgress): AppError {
  return new AppError(
    'invalid',
    `read archive: it is not the one that was written: expected sha256 ${expected}, got ${found} (${formatBytes(archiveBytes)})`,
  );
}

function archiveOf(pass: ArchivePass, spool: Spool, sha256: string): Archive {
  const { index, problems, warnings, counts } = pass;
  const read = async (key: ItemKey): Promise<JsonObject> => {
    const span = index.find(key);
    if (span === undefined) throw new AppError('notFound', `read archive: it has no item ${idOf(key)}`);
    return await pass.parse(await spool.read(span), key, idOf(key));
  };
  return {
    entries: () => inTurns(index.keys()),
    has: (key) => index.find(key) !== undefined,
    read,
    look: async (key) => {
      try {
        return await read(key);
      } catch (error) {
        if (isAppError(error, 'notFound', 'invalid')) return undefined;
        throw error;
      }
    },
    problems,
    warnings,
    counts,
    indexBytes: index.bytes,
    sha256,
    close: () => spool.close(),
  };
}
