import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../base/index.ts';
import { ChecksumSum } from './checksum-sum.ts';
import { causeOf, fileError } from './file-errors.ts';
import { systemCode } from './system-code.ts';
import type { BytePath } from './byte-path.ts';
import { shownPath } from './shown-path.ts';
import { NameList } from './name-list.ts';
import { treeAt, walkTree } from './tree-walk.ts';

/** One line of a list of checksums, as JSON. The path has one character for each byte. */
interface RecordedFile {
  path: BytePath;
  size: number;
  mtimeMs: number;
  sha256: string;
}

export interface HashingCall {
  signal: AbortSignal;
  /** Bytes that were read so far, and the file that is read. */
  onProgress: (bytes: number, current: string) => void;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PIECE = 1024 * 1024;

/** Writes the SHA-256 of every file of a tree into a list, and returns one for all. */
export async function recordChecksums(root: string, list: string, call: HashingCall): Promise<string> {
  const hashing = new Hashing(root, call);
  const sum = new ChecksumSum();
  const lines = async function* (): AsyncGenerator<string> {
    // What cannot be read is told by whoever copies it.
    for (const { path, kind } of walkTree(root, () => undefined)) {
      const found = kind === 'file' ? await hashing.file(path).catch(onlyOfFiles) : undefined;
      if (found === undefined) continue;
      const { stats, sha256 } = found;
      sum.add(path, sha256);
      const line: RecordedFile = { path, size: stats.size, mtimeMs: stats.mtimeMs, sha256 };
      yield `${JSON.stringify(line)}\n`;
    }
  };
  // A stream that opens its file itself may do so only after a failure was told, and nobody would remove the file.
  const file = await open(list, 'wx', 0o600);
  await pipeline(lines, file.createWriteStream());
  return String(sum);
}

/**
 * Compares a restored tree with a list. A file that has another size or time than in the list was changed between the
 * reading of its checksum and its copy: that is told and is no error.
 */
export async function compareChecksums(
  root: string,
  list: string,
  call: HashingCall & { onNote: (text: string) => void },
): Promise<string> {
  const hashing = new Hashing(root, call);
  const sum = new ChecksumSum();
  const [wrong, changed] = [new NameList(), new NameList()];
  for await (const line of createInterface({ input: createReadStream(list), crlfDelay: Infinity })) {
    const recorded = JSON.parse(line) as RecordedFile;
    const found = await hashing.file(recorded.path).catch(onlyOfFiles);
    const isSame = found?.stats.size === recorded.size && Math.abs(found.stats.mtimeMs - recorded.mtimeMs) < 1;
    if (found === undefined) changed.add(`${shownPath(recorded.path)} (vanished)`);
    else if (!isSame) changed.add(shownPath(recorded.path));
    else if (found.sha256 !== recorded.sha256) wrong.add(shownPath(recorded.path));
    if (found !== undefined) sum.add(recorded.path, found.sha256);
  }
  if (wrong.count > 0)
    throw new AppError('invalid', `verify the volume: ${wrong.count} files differ: ${String(wrong)}`);
  if (changed.count > 0) {
    call.onNote(`not compared, because they changed during the backup: ${changed.count} files: ${String(changed)}`);
  }
  return String(sum);
}

/** A file that is gone or cannot be read has no checksum; everything else is an error. */
function onlyOfFiles(error: unknown): undefined {
  if (systemCode(error) === undefined) throw error;
  return undefined;
}

/** Reads files synchronously, which is faster, and lets others run now and then. */
class Hashing {
  readonly #at: (path: BytePath) => Buffer;
  readonly #call: HashingCall;
  readonly #piece = Buffer.allocUnsafeSlow(PIECE);
  #bytes = 0;
  #sincePause = 0;

  constructor(root: string, call: HashingCall) {
    this.#at = treeAt(root);
    this.#call = call;
  }

  async file(path: BytePath): Promise<{ stats: Stats; sha256: string } | undefined> {
    const file = openSync(this.#at(path), READ);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return undefined;
      const hash = createHash('sha256');
      for (let read = -1; read !== 0;) {
        read = readSync(file, this.#piece, 0, PIECE, null);
        hash.update(this.#piece.subarray(0, read));
        await this.#pause(read, path);
      }
      return { stats, sha256: hash.digest('hex') };
    } catch (error) {
      throw systemCode(error) === 'EIO' ? fileError(`read ${shownPath(path)} (${causeOf(error)})`, error) : error;
    } finally {
      closeSync(file);
    }
  }

  async #pause(read: number, path: BytePath): Promise<void> {
    this.#bytes += read;
    // A file costs something even if it is empty.
    this.#sincePause += read + 4096;
    if (this.#sincePause < 4 * PIECE) return;
    this.#sincePause = 0;
    this.#call.onProgress(this.#bytes, shownPath(path));
    await setImmediate();
    this.#call.signal.throwIfAborted();
  }
}
