import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, from one of its sources or from a bundle of them, wherever that lies below it. */
export const ROOT = rootAbove(import.meta.dirname);

function rootAbove(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const above = dirname(directory);
  if (above === directory) throw new TypeError(`there is no package.json above ${import.meta.dirname}`);
  return rootAbove(above);
}
