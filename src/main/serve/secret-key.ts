import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../base/index.ts';

const BYTES = 32;

/**
 * The key from which those for sessions, links and the server's record are derived; the same after a restart, and for
 * this user's eyes only. A new one ends every session and link at once.
 */
export function secretKey(file: string, { renew = false }: { renew?: boolean } = {}): Uint8Array {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Put in place whole: neither a kill nor a second server at the same moment may see a part of it.
  const fresh = `${file}.${String(process.pid)}`;
  writeFileSync(fresh, randomBytes(BYTES), { mode: 0o600 });
  if (renew) renameSync(fresh, file);
  else keepFirst(fresh, file);
  const key = readFileSync(file);
  if (key.length === BYTES) return key;
  throw new AppError('invalidConfig', `read the server's key ${file}: expected 32 bytes, it has ${key.length}`, {
    details: { hint: 'Make a new one, which ends all sessions, with: headway server --rotate-keys' },
  });
}

function keepFirst(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh);
  }
}
