import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a finished build the page. Another process may have been faster: then its page is as good. */
export function putInPlace(built: string, wanted: string): void {
  try {
    renameSync(built, wanted);
  } catch (error) {
    if (!existsSync(join(wanted, 'index.html'))) throw error;
  }
}
