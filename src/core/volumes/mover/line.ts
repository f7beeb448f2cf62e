import { z } from 'zod';
import { cleanText, ERROR_CODES, type ErrorCode } from '../../../base/index.ts';

/** What a mover does, for people. */
export const MOVER_STEPS = ['connecting', 'copying', 'verifying', 'clearing', 'listing'] as const;
export type MoverStep = (typeof MOVER_STEPS)[number];

const MAX_TEXT = 1024;
const count = z.int().min(0);
const text = z.string().transform((value) => cleanText(value, MAX_TEXT));
const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

const numbers = {
  bytesDone: count,
  totalBytes: count.optional(),
  bytesReused: count.optional(),
  bytesUploaded: count.optional(),
  filesDone: count.optional(),
  /** Bytes whose checksums were read or compared: work that no other number shows. */
  bytesVerified: count.optional(),
};

const Line = z.discriminatedUnion('line', [
  z.object({
    line: z.literal('progress'),
    id: z.string(),
    ...numbers,
    step: z.enum(MOVER_STEPS),
    current: text.optional(),
  }),
  /** Something that people should know and that does not end the work. */
  z.object({ line: z.literal('note'), id: z.string(), text }),
  z.object({
    line: z.literal('completed'),
    id: z.string(),
    ...numbers,
    /** The tool's own id. */
    snapshotID: z.string().max(512).optional(),
    /** SHA-256 over the checksums of all files. */
    checksum: z.string().max(64).optional(),
    /** Files and directories that went, because the snapshot does not have them. */
    filesRemoved: count.optional(),
    /** The repository is there and has our rules. */
    isPrepared: z.boolean().optional(),
  }),
  z.object({ line: z.literal('failed'), id: z.string(), code: z.enum(codes), message: text, hint: text.optional() }),
]);

/** One line of a mover's output. The last one of a mover that was not killed is `completed` or `failed`. */
export type MoverLine = z.output<typeof Line>;
export type MoverProgress = Extract<MoverLine, { line: 'progress' }>;
export type MoverCompleted = Extract<MoverLine, { line: 'completed' }>;
export type MoverFailed = Extract<MoverLine, { line: 'failed' }>;

/** Undefined for any text that is not such a line: programs in a container print many things. */
export function parseLine(line: string): MoverLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    // Half a line, or somebody else's.
    return undefined;
  }
}
