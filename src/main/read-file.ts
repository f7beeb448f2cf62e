import { readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../base/index.ts';

/** A file that a flag names. */
export async function readNamedFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AppError('usage', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
