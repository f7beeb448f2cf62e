import { AppError } from '../../base/index.ts';
import { MAX_PATH_LENGTH } from './limits.ts';
import type { TarEntry } from './tar-decode.ts';

/**
 * The path of a regular file; undefined for a directory. Throws for entries that no honest archive contains: another
 * program would unpack them somewhere else, so nothing in the archive is trusted.
 */
export function checkEntry({ name, type }: TarEntry): string | undefined {
  if (name.length > MAX_PATH_LENGTH) {
    throw hostile(
      `${name.slice(0, 80)}…`,
      `expected a path of at most ${MAX_PATH_LENGTH} characters, got ${name.length}`,
    );
  }
  if (type !== 'file' && type !== 'directory') {
    throw hostile(name, `expected a regular file, got ${type}`);
  }
  const path = name.replace(/^(\.\/)+/, '');
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0')) {
    throw hostile(name, 'expected a relative path with plain names');
  }
  if (type === 'directory') {
    if (path.split('/').includes('..')) throw hostile(name, 'expected a path that stays inside the archive');
    return undefined;
  }
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '')) {
    throw hostile(name, 'expected a path that stays inside the archive and has no empty parts');
  }
  return path;
}

export function hostile(entry: string, cause: string): AppError {
  return new AppError('invalid', `read archive: entry ${JSON.stringify(entry)}: ${cause}`);
}
