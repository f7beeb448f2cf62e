import { join } from 'node:path';
import { AppError, formatCount, valueAt, type Json } from '../../../base/index.ts';
import { formatListed, KopiaListing, type KopiaEntry } from '../../../core/volumes/index.ts';
import type { ListRequest } from '../port.ts';
import { SortedLines } from '../sorted-lines.ts';
import { kopiaError } from './kopia-errors.ts';
import { parseAnswer, type KopiaProgram } from './kopia-program.ts';

const LIST = 'list the files of the volume';
const UNKNOWN_ID = /manifest [0-9a-f]+: not found/;

export interface ListCall {
  signal: AbortSignal;
  onNote: (text: string) => void;
  /** Entries that were found so far. */
  onProgress: (entries: number) => void;
}

/**
 * The files of a snapshot as lines of JSON, in the order of their paths: kopia gives those of a directory in another
 * order each time. More than fits is left out; that, and what else does not add up, is told.
 */
export async function* listSnapshot(
  kopia: KopiaProgram,
  { snapshotID, maxBytes }: ListRequest,
  { signal, onNote, onProgress }: ListCall,
): AsyncGenerator<Uint8Array> {
  const expected = await countEntries(kopia, snapshotID, signal);
  using lines = new SortedLines(join(kopia.scratch, 'list'));
  const enough = new AbortController();
  let [entries, bytes] = [0, 0];
  const take = (found: readonly KopiaEntry[]): void => {
    for (const entry of found) {
      const line = formatListed(entry);
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > maxBytes) {
        enough.abort();
        return;
      }
      lines.add(line);
      entries += 1;
    }
    onProgress(entries);
  };
  await readEntries(kopia, { snapshotID, signal, enough: enough.signal }, take);
  const note = noteOn({ entries, expected, isCut: enough.signal.aborted });
  if (note !== undefined) onNote(note);
  for await (const some of lines.all()) {
    signal.throwIfAborted();
    yield Buffer.from(`${some.join('\n')}\n`);
  }
}

/** Gives the entries of a snapshot as kopia names them, until there are enough. */
export async function readEntries(
  kopia: KopiaProgram,
  { snapshotID, signal, enough }: { snapshotID: string; signal: AbortSignal; enough: AbortSignal },
  take: (entries: readonly KopiaEntry[]) => void,
): Promise<void> {
  const listing = new KopiaListing();
  const args = ['ls', '--long', '--recursive', '--no-error-summary', '--timezone=utc', snapshotID];
  const { exitCode, said } = await kopia.run(args, AbortSignal.any([signal, enough]), undefined, (text) => {
    if (!enough.aborted) take(listing.push(text));
  });
  signal.throwIfAborted();
  if (enough.aborted) return;
  if (exitCode !== 0) throw kopiaError(LIST, said);
  take(listing.end());
}

interface Counted {
  entries: number;
  /** Undefined where the snapshot does not say. */
  expected: number | undefined;
  isCut: boolean;
}

function noteOn({ entries, expected, isCut }: Counted): string | undefined {
  const there = expected === undefined ? 'more' : formatCount(expected);
  if (isCut) return `the list is not whole: the first ${formatCount(entries)} entries that kopia named, of ${there}`;
  if (expected === undefined || entries === expected) return undefined;
  // A name may hold a line break, and behind it whatever looks like another file.
  return `names may not be what they seem: ${formatCount(entries)} entries are listed, and the snapshot has ${there}`;
}

/** How many files, links and directories a snapshot has, its root not counted. */
export async function countEntries(
  kopia: KopiaProgram,
  snapshotID: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const manifest = await manifestOf(kopia, snapshotID, signal);
  if (valueAt(manifest, 'rootEntry', 'type') !== 'd') throw unknownSnapshot();
  const counts = ['files', 'symlinks', 'dirs'].map((name) => valueAt(manifest, 'rootEntry', 'summ', name));
  if (!counts.every((count) => typeof count === 'number')) return undefined;
  return counts.reduce((sum, count) => sum + count, -1);
}

async function manifestOf(kopia: KopiaProgram, snapshotID: string, signal: AbortSignal): Promise<Json> {
  try {
    const { stdout } = await kopia.do(LIST, ['manifest', 'show', snapshotID], signal);
    // Comments stand before it.
    return parseAnswer(LIST, stdout.replaceAll(/^\/\/.*$/gm, ''));
  } catch (error) {
    if (error instanceof AppError && UNKNOWN_ID.test(error.message)) throw unknownSnapshot(error);
    throw error;
  }
}

function unknownSnapshot(cause?: AppError): AppError {
  return new AppError('notFound', `${LIST}: the repository has no such snapshot`, { cause });
}
