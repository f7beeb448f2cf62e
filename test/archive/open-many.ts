/**
 * Opens the archive on standard input, and prints how many items it has, or why it is refused, and how much memory that took.
 * A program of its own, because a test shares its memory with others: `node open-many.ts SPOOL`.
 */
import { messageOf } from '../../src/base/index.ts';
import { VELERO_LAYOUT } from '../../src/core/backup/index.ts';
import { openArchive } from '../../src/edge/archive/index.ts';

const before = process.memoryUsage.rss();
let peak = before;
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
let outcome: unknown;
try {
  const archive = await openArchive(process.stdin as AsyncIterable<Uint8Array>, {
    layout: VELERO_LAYOUT,
    spoolPath: process.argv[2] ?? '',
    onProgress: look,
  });
  outcome = archive.counts.items;
  look();
  await archive.close();
} catch (error) {
  outcome = messageOf(error);
}
console.log(JSON.stringify({ outcome, grownBytes: peak - before }));
