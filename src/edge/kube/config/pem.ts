import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError, messageOf } from '../../../base/index.ts';
import type { Entry } from './kubeconfig-file.ts';

/** The inline base64 of `<key>-data`, which wins, or the file named by `<key>`, relative to the kubeconfig. */
export async function readPem(entry: Entry, key: string, label: string): Promise<string | undefined> {
  const data = entry.fields.text(`${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const path = entry.fields.text(key);
  if (path === undefined) return undefined;
  const file = resolve(dirname(entry.file), path);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError('invalidConfig', `cannot read ${key} ${file} of ${label}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
