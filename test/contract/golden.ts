import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('golden/', import.meta.url);

/** What the real kube-apiserver answered, by case name. Recorded with HEADWAY_RECORD=1 on the bed, never by hand. */
export type Golden = Record<string, unknown>;

export function readGolden(group: string): Golden {
  const file = new URL(`${group}.json`, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : {};
}

export function writeGolden(group: string, golden: Golden): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${group}.json`, folder), `${JSON.stringify(golden, undefined, 1)}\n`);
}

export const recording = process.env['HEADWAY_RECORD'] === '1';
