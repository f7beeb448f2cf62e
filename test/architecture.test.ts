import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

interface Rule {
  name: string;
  from: { path?: string };
  to: { path?: string | string[]; pathNot?: string };
}

/** The layer table as dependency-cruiser enforces it: folder → sorted list of what it may import. */
function enforcedTable(): Map<string, string[]> {
  const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: Rule[] };
  const table = new Map<string, string[]>();
  for (const rule of config.forbidden) {
    const folder = /^(.+)-may-import$/.exec(rule.name)?.[1];
    const allowed = /^\^src\/\((.*)\)\/$/.exec(rule.to.pathNot ?? '')?.[1]?.split('|') ?? [];
    if (folder !== undefined) table.set(folder, allowed.filter((other) => other !== folder).sort());
  }
  return table;
}

/** The same table as people read it. */
function documentedTable(): Map<string, string[]> {
  const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `src\/([^`]+)` +\| .* \| ([^|]+) \|$/gm)];
  return new Map(
    rows.map(([, folder = '', imports = '']) => [
      folder,
      imports.trim() === '–' ? [] : imports.trim().split(/, */).sort(),
    ]),
  );
}

/** The folders of `src` that hold code, as far down as the table goes: `cli`, `core/progress`. */
function foldersOf(source: URL, isRow: (folder: string) => boolean): string[] {
  return readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (isRow(entry.name)) return [entry.name];
    return readdirSync(new URL(`${entry.name}/`, source)).map((below) => `${entry.name}/${below}`);
  });
}

describe('the layer table', () => {
  it('has rows in both places', () => {
    expect(enforcedTable().size).toBeGreaterThan(10);
    expect(documentedTable().size).toBeGreaterThan(10);
  });

  it('is the same in ARCHITECTURE.md and in .dependency-cruiser.cjs', () => {
    expect(Object.fromEntries(documentedTable())).toEqual(Object.fromEntries(enforcedTable()));
  });

  it('has a row for everything in src, or nothing would be enforced there', () => {
    const rows = enforcedTable();
    const folders = foldersOf(new URL('../src/', import.meta.url), (folder) => rows.has(folder));
    expect(folders.filter((folder) => !rows.has(folder))).toEqual([]);
  });
});
