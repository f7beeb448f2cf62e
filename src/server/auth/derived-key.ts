import { hkdfSync } from 'node:crypto';
import { AppError } from '../../base/index.ts';

const BYTES = 32;

/** A key for one purpose alone, from the server's one key: whoever learns it can do nothing with the others. */
export function derivedKey(key: Uint8Array, purpose: string): Buffer {
  if (key.length !== BYTES) {
    throw new AppError('invalidConfig', `use the server's key: expected 32 bytes, it has ${String(key.length)}`);
  }
  return Buffer.from(hkdfSync('sha256', key, 'headway', purpose, BYTES));
}
