import { cleanText } from '../../../base/index.ts';
import { MAX_PATH } from './job.ts';
import type { MoverLine } from './line.ts';
import type { ListedVolumeFile } from './listed-file.ts';

/** What a mover prints. Apart from what reads it, which a mover does not need. */
export function formatLine(line: MoverLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** One line of a mover's list. The path comes first, so that sorted lines are files in the order of their paths. */
export function formatListed({ path: name, type, bytes, mode, modifiedAt }: ListedVolumeFile): string {
  return JSON.stringify({ path: cleanText(name, MAX_PATH), type, bytes, mode, modifiedAt });
}
