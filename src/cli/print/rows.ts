import { cleanText } from '../../base/index.ts';
import type { Printer } from './printer.ts';

/** Label and value, one a line, values aligned to the same column everywhere. */
export function printRows(output: Printer, rows: readonly (readonly [string, string])[]): void {
  for (const [label, value] of rows) output.line(`${label.padEnd(11)}${value}`);
}

/** A table as kubectl prints one: upper-case headings, three spaces between columns, no trailing blanks. */
export function printTable(output: Printer, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(headings, rows)) output.line(line);
}

export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[] = columnWidths([headings, ...rows]),
): string[] {
  return [headings, ...rows].map((row) =>
    row
      .map((cell) => cleanText(cell, Infinity))
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

/** As wide as the cells will be shown, and no narrower than before. */
export function columnWidths(rows: readonly (readonly string[])[], before: readonly number[] = []): number[] {
  const [headings = []] = rows;
  return headings.map((_, column) =>
    Math.max(before[column] ?? 0, ...rows.map((row) => cleanText(row[column] ?? '', Infinity).length)),
  );
}
