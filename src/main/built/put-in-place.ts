import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Gives a finished build its place. Another process may have been faster: then its build, which has that file, is as good. */
export function putInPlace(built: string, wanted: string, file: string): void {
  try {
    renameSync(built, wanted);
  } catch (error) {
    if (!existsSync(join(wanted, file))) throw error;
  }
}
