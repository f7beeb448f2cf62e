import { z } from 'zod';
import { cleanText } from '../../../base/index.ts';

/** Whole paths: Linux knows none that is longer. */
const MAX_PATH = 4096;
const path = z.string().transform((text) => cleanText(text, MAX_PATH));

const Listed = z.strictObject({
  path,
  type: z.enum(['file', 'link', 'symlink', 'directory']),
  bytes: z.int().min(0),
  mode: z.int().min(0),
  modifiedAt: z.iso.datetime(),
});

/** A file of a snapshot, for people: control characters of its name are written out. */
export type ListedVolumeFile = z.output<typeof Listed>;

/** One line of a mover's list. The path comes first, so that sorted lines are files in the order of their paths. */
export function formatListed({ path: name, type, bytes, mode, modifiedAt }: ListedVolumeFile): string {
  return JSON.stringify({ path: cleanText(name, MAX_PATH), type, bytes, mode, modifiedAt });
}

/** Undefined for any text that is not such a line. */
export function parseListed(line: string): ListedVolumeFile | undefined {
  try {
    return Listed.safeParse(JSON.parse(line)).data;
  } catch {
    // Half a line, or somebody else's.
    return undefined;
  }
}
