import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Manifest {
  file: string;
  object: { apiVersion: string; kind: string; metadata: { name: string; namespace: string }; [field: string]: unknown };
}

const ROOT = join(import.meta.dirname, '..');

/** Folders with whole objects of our kinds: what users write, what programs write, what the seeds and upstream show. */
export const MANIFEST_FOLDERS = [
  'deploy/examples',
  'test/fixtures/objects',
  'test/fixtures/seeds',
  'test/fixtures/upstream',
] as const;

/** The objects of a folder, one a file. */
export function manifests(folder: (typeof MANIFEST_FOLDERS)[number]): Manifest[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => ({
    file: `${folder}/${file}`,
    object: parse(readFileSync(join(ROOT, folder, file), 'utf8')) as Manifest['object'],
  }));
}
