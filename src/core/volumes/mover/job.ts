import { z } from 'zod';
import { AppError, cleanText, isObjectName } from '../../../base/index.ts';
import { isSnapshotId } from '../repository/snapshots.ts';

/** Longer than any path that Linux knows. */
const MAX_PATH = 4096;
const MAX_SNAPSHOTS = 10_000;
const text = z.string().min(1).max(MAX_PATH);
const path = text.refine((value) => value.startsWith('/') && !value.includes('\0'), 'expected an absolute path');
/** Such as `b-0123456789`; it stands on every line that the mover prints. */
const id = z.string().refine(isObjectName, 'expected the id of a volume');
const snapshotID = z.string().refine(isSnapshotId, 'expected the id of a kopia snapshot');
const name = z.string().min(1).max(253);
const bytes = z.int().min(0);

const Repository = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('filesystem'), path }),
  z.strictObject({
    kind: z.literal('s3'),
    bucket: name,
    /** Ends in a slash. */
    prefix: z.string().max(1024),
    /** Host and port. */
    endpoint: name,
    region: z.string().max(64).optional(),
    disableTls: z.boolean().optional(),
    skipTlsVerify: z.boolean().optional(),
  }),
]);
export type KopiaRepository = z.output<typeof Repository>;

/** What every job of kopia needs. */
const kopia = {
  uploader: z.literal('kopia'),
  repository: Repository,
  /** The program; found on the PATH if it has no slash. */
  program: text,
  /** An empty directory of its own, for kopia's configuration and cache. */
  scratch: path,
  /** A directory with a file for each secret; without it they are in the environment. */
  secrets: path.optional(),
};
const stream = { uploader: z.literal('stream') };

const snapshot = { kind: z.literal('snapshot'), id, path, isVerified: z.boolean().optional() };
const restore = {
  kind: z.literal('restore'),
  id,
  path,
  isVerified: z.boolean().optional(),
  /** From the backup, so that there is a percent from the first byte on. */
  totalBytes: bytes.optional(),
  /** Files that are not in the snapshot go; those that look the same were written by an earlier attempt. */
  isExact: z.boolean().optional(),
  /** The volume has files of another time: those of the snapshot are all written, and the others go. */
  isBroughtUp: z.boolean().optional(),
};

const Job = z.discriminatedUnion('uploader', [
  z.discriminatedUnion('kind', [
    z.strictObject({
      ...snapshot,
      ...kopia,
      source: z.strictObject({ namespace: name, pod: name, volume: name }),
      tags: z.record(z.string().regex(/^[\w.-]{1,63}$/), z.string().max(512)).optional(),
      /** Create the repository where there is none, and set the rules for its snapshots. */
      isPreparing: z.boolean().optional(),
      parallel: z.int().min(1).max(64).optional(),
    }),
    z.strictObject({
      ...restore,
      ...kopia,
      snapshotID,
      /** The volume's id in its backup, under which its checksums are found. */
      volumeId: id.optional(),
      parallel: z.int().min(1).max(64).optional(),
      /** For file systems on which nobody may give files away, such as NFS. */
      ignoresOwners: z.boolean().optional(),
    }),
    z.strictObject({
      kind: z.literal('delete'),
      id,
      ...kopia,
      snapshotIDs: z.array(snapshotID).max(MAX_SNAPSHOTS),
      /** Volumes whose checksums and half-done snapshots go as well. */
      volumes: z.array(id).max(MAX_SNAPSHOTS).optional(),
    }),
    z.strictObject({ kind: z.literal('maintain'), id, ...kopia, isFull: z.boolean().optional() }),
    z.strictObject({
      kind: z.literal('list'),
      id,
      ...kopia,
      snapshotID,
      /** Of the list; what does not fit is left out, and that is said. */
      maxBytes: bytes,
    }),
  ]),
  z.discriminatedUnion('kind', [z.strictObject({ ...snapshot, ...stream }), z.strictObject({ ...restore, ...stream })]),
]);

/** What a mover is told to do. It holds no secret: those are files beside it, or variables. */
export type MoverJob = z.output<typeof Job>;
export type KopiaJob = Extract<MoverJob, { uploader: 'kopia' }>;
export type StreamJob = Extract<MoverJob, { uploader: 'stream' }>;

const VERSION = 1;
const MAX_PROBLEMS = 5;

/** The text of a job file. */
export function formatJob(job: MoverJob): string {
  return JSON.stringify({ version: VERSION, ...job });
}

/** Throws `invalidConfig` with what is wrong. */
export function parseJob(json: string): MoverJob {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    throw new AppError('invalidConfig', 'read the job of a mover: it is no JSON', { cause: error });
  }
  const { version, ...fields } = (typeof document === 'object' && document !== null ? document : {}) as {
    version?: unknown;
  };
  if (version !== VERSION) {
    const found = cleanText(JSON.stringify(version) ?? 'none', 40);
    throw new AppError('unsupported', `read the job of a mover: expected version ${VERSION}, got ${found}`);
  }
  const { data, error } = Job.safeParse(fields);
  if (data !== undefined) return data;
  const problems = error.issues.slice(0, MAX_PROBLEMS).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AppError('invalidConfig', cleanText(`read the job of a mover: ${problems.join('; ')}`));
}
