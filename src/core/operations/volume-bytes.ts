import type { Measure } from '../progress/index.ts';
import type { Operation } from './operation.ts';

/** The data of the volumes of a backup or restore: what has items has no other bytes. */
export function volumeBytes({ report, facts }: Pick<Operation, 'report' | 'facts'>): Measure | undefined {
  const hasItems = report.measures.some(({ unit }) => unit === 'items');
  const bytes = report.measures.find(({ unit }) => unit === 'bytes');
  // Older versions have the size of the archive there.
  return hasItems && bytes !== undefined && bytes.done > 0 && bytes.done !== facts.sizeBytes ? bytes : undefined;
}
