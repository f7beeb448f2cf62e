import type { Output } from '../ports.ts';
import { paint } from './paint.ts';

/** Label and value, one a line, values aligned to the same column everywhere. */
export function printRows(output: Output, rows: readonly (readonly [string, string])[]): void {
  for (const [label, value] of rows) output.out(`${label.padEnd(11)}${value}\n`);
}

/** A table as kubectl prints one: upper-case headings, three spaces between columns, no trailing blanks. */
export function printTable(output: Output, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(headings, rows)) output.out(`${paint(line, output)}\n`);
}

export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
