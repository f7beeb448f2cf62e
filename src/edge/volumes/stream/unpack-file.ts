import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fchmodSync, fchownSync, ftruncateSync, futimesSync, openSync, writeSync } from 'node:fs';
import type { TarEntry } from './tar-header.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const HOLE_BYTES = 4096;
const ZEROS = Buffer.alloc(HOLE_BYTES);
const UNFINISHED_MODE = 0o600;

/** One file that is being written. Zeros of a file with holes are left out, so that it takes no more room than before. */
export class UnpackedFile {
  readonly entry: TarEntry;
  readonly #file: number;
  readonly #hash: Hash | undefined;
  #written = 0;

  /** Throws if anything is there already. */
  constructor(at: Buffer, entry: TarEntry, isVerified: boolean) {
    this.entry = entry;
    this.#file = openSync(at, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, UNFINISHED_MODE);
    this.#hash = isVerified ? createHash('sha256') : undefined;
  }

  get left(): number {
    return this.entry.size - this.#written;
  }

  write(bytes: Buffer): void {
    this.#hash?.update(bytes);
    if (this.entry.isSparse === true) this.#writeSparse(bytes);
    else this.#writeAll(bytes, this.#written);
    this.#written += bytes.length;
  }

  /** Returns the SHA-256 if it was asked for. */
  end(): string | undefined {
    const { size, uid, gid, mode, mtimeSeconds, isSparse } = this.entry;
    if (isSparse === true) ftruncateSync(this.#file, size);
    fchownSync(this.#file, uid, gid);
    // After the owner, because changing it clears the set-user-id bit.
    fchmodSync(this.#file, mode);
    futimesSync(this.#file, mtimeSeconds, mtimeSeconds);
    closeSync(this.#file);
    return this.#hash?.digest('hex');
  }

  abandon(): void {
    closeSync(this.#file);
  }

  #writeSparse(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      // Pieces end where a hole of the file system can begin.
      const end = Math.min(bytes.length, at + HOLE_BYTES - ((this.#written + at) % HOLE_BYTES));
      const piece = bytes.subarray(at, end);
      if (!piece.equals(ZEROS.subarray(0, piece.length))) this.#writeAll(piece, this.#written + at);
      at = end;
    }
  }

  #writeAll(bytes: Buffer, position: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, position + done);
    }
  }
}
