import { readdirSync, rmSync } from 'node:fs';
import { fileError } from './file-errors.ts';

/** Empties a directory and keeps the directory. Links are removed, not followed. */
export function emptyDirectory(root: string): void {
  try {
    for (const name of readdirSync(root, { encoding: 'buffer' })) {
      rmSync(Buffer.concat([Buffer.from(`${root}/`), name]), { recursive: true, force: true });
    }
  } catch (error) {
    throw fileError(`empty the volume at ${root}`, error);
  }
}
