import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';

const BLOCK = 512;

/** How many items are whole in an archive of the `fs` store that is still being written; 0 where there is none. */
export function itemsOnDisk(directory: string, backup: string): number {
  const file = unfinished(directory).find((path) => path.endsWith(`${backup}.tar.gz`));
  if (file === undefined) return 0;
  try {
    return countItems(gunzipSync(readFileSync(file), { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    // It was moved to its place between the look and the read, or its first bytes are not there yet.
    return 0;
  }
}

function unfinished(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.slice(directory.length).startsWith('/.'))
      .map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return [];
  }
}

/** Each item is there once under its plain path, and that comes first. */
function countItems(tar: Buffer): number {
  let items = 0;
  for (let at = 0; at + BLOCK <= tar.length;) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    const next = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (next <= tar.length && /^resources\/[^/]+\/(namespaces|cluster)\//.test(name)) items += 1;
    at = next;
  }
  return items;
}
