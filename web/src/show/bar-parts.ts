import type { Report } from '../../../src/core/progress/index.ts';

/** Widths in percent of the whole bar; what is left of 100 is the rest. */
export interface BarParts {
  done: number;
  skipped: number;
  failed: number;
}

/**
 * The parts together are as wide as the percent, because the percent is what does not fall; the counts say how it is
 * divided. Undefined while nothing can be said about how far it is.
 */
export function barParts({ percent, counts }: Report): BarParts | undefined {
  if (percent === undefined) return undefined;
  const settled = counts === undefined ? 0 : counts.created + counts.updated + counts.skipped + counts.failed;
  if (counts === undefined || settled === 0) return { done: percent, skipped: 0, failed: 0 };
  const part = (count: number): number => (count * percent) / settled;
  return { done: part(counts.created + counts.updated), skipped: part(counts.skipped), failed: part(counts.failed) };
}
