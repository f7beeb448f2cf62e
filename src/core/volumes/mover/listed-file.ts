import { z } from 'zod';
import { cleanText } from '../../../base/index.ts';
import { MAX_PATH } from './job.ts';

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

/** Undefined for any text that is not such a line. */
export function parseListed(line: string): ListedVolumeFile | undefined {
  try {
    return Listed.safeParse(JSON.parse(line)).data;
  } catch {
    // Half a line, or somebody else's.
    return undefined;
  }
}
