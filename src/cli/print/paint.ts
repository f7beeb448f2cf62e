import type { Output } from '../ports.ts';

const COLORS: Readonly<Record<string, number>> = { '✓': 32, '●': 36, '▲': 33, '✕': 31, '▒': 90, '│': 90 };

/** Colours the signs alone: a line keeps its width, and reads the same without. */
export function paint(line: string, output: Output): string {
  if (output.hasColor !== true) return line;
  return line.replaceAll(/[✓●▲✕▒│]/g, (sign) => `\u001b[${String(COLORS[sign])}m${sign}\u001b[0m`);
}
