import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** What a file, or everything in a folder, takes on the disk. What cannot be looked at, or is gone meanwhile, counts nothing. */
export async function bytesBelow(path: string): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return 0;
  let bytes = facts.blocks * BLOCK_BYTES;
  if (!facts.isDirectory()) return bytes;
  for (const name of await readdir(path).catch(() => [])) bytes += await bytesBelow(join(path, name));
  return bytes;
}
