import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const BYTES = 32;

/** The key that seals sessions and links; the same after a restart, and for this user's eyes only. */
export function secretKey(file: string): Uint8Array {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code !== 'EEXIST') throw error;
  }
  const key = readFileSync(file);
  if (key.length === BYTES) return key;
  // Cut short by a kill between creating and writing it: nobody can have used it.
  const fresh = randomBytes(BYTES);
  writeFileSync(file, fresh, { mode: 0o600 });
  return fresh;
}
