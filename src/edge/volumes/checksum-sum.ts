import { createHash } from 'node:crypto';
import { pathBytes, type BytePath } from './byte-path.ts';

const MODULUS = 1n << 256n;

/** One number for the content of all files, whatever order they come in: the sum of a hash of each path and content. */
export class ChecksumSum {
  #sum = 0n;

  add(path: BytePath, sha256: string): void {
    const hash = createHash('sha256').update(pathBytes(path)).update('\0').update(sha256).digest('hex');
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % MODULUS;
  }

  toString(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
