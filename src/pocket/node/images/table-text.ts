import { folderImage } from './builtin-images.ts';
import type { Image, ImageRow } from './image-table.ts';

const MAX_ROWS = 1000;

export interface ParsedTable {
  rows: ImageRow[];
  /** Lines that mean nothing, with the reason. */
  problems: string[];
}

/**
 * Rows that users add: on each line a pattern and what images of that name are run as, either `machine` or the absolute
 * path of a folder. Empty lines and those that begin with a number sign are left out.
 */
export function parseTable(text: string, machine: Image): ParsedTable {
  const rows: ImageRow[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').slice(0, MAX_ROWS).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, pattern, what = ''] = /^(\S+)\s+(\S.*)$/.exec(trimmed) ?? [];
    if (pattern !== undefined && what === 'machine') rows.push({ pattern, image: machine });
    else if (pattern !== undefined && what.startsWith('/')) rows.push({ pattern, image: folderImage(what) });
    else problems.push(`line ${index + 1} is not "PATTERN machine" or "PATTERN /folder": ${trimmed.slice(0, 100)}`);
  }
  return { rows, problems };
}
