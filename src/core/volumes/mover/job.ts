import { AppError, cleanText, isObjectName } from '../../../base/index.ts';
import { isSnapshotId } from '../repository/snapshots.ts';
import {
  flag,
  list,
  literal,
  Misfit,
  object,
  oneOf,
  optional,
  text,
  texts,
  textThat,
  whole,
  type ShapeOf,
} from './shape.ts';

/** Longer than any path that Linux knows. */
export const MAX_PATH = 4096;
const MAX_SNAPSHOTS = 10_000;
const program = text({ min: 1, max: MAX_PATH });
const path = textThat(
  (value) => value.startsWith('/') && !value.includes('\0') && value.length <= MAX_PATH,
  'an absolute path',
);
/** Such as `b-0123456789`; it stands on every line that the mover prints. */
const id = textThat(isObjectName, 'the id of a volume');
const snapshotID = textThat(isSnapshotId, 'the id of a kopia snapshot');
const name = text({ min: 1, max: 253 });
const bytes = whole({ min: 0 });
const parallel = optional(whole({ min: 1, max: 64 }));
const maybe = optional(flag);

const repository = oneOf('kind', {
  filesystem: object({ kind: literal('filesystem'), path }),
  s3: object({
    kind: literal('s3'),
    bucket: name,
    /** Ends in a slash. */
    prefix: text({ max: 1024 }),
    /** Host and port. */
    endpoint: name,
    region: optional(text({ max: 64 })),
    disableTls: maybe,
    skipTlsVerify: maybe,
  }),
});
export type KopiaRepository = ShapeOf<typeof repository>;

/** What every job of kopia needs. */
const kopia = {
  uploader: literal('kopia'),
  repository,
  /** The program; found on the PATH if it has no slash. */
  program,
  /** An empty directory of its own, for kopia's configuration and cache. */
  scratch: path,
  /** A directory with a file for each secret; without it they are in the environment. */
  secrets: optional(path),
};
const stream = { uploader: literal('stream') };

const snapshot = { kind: literal('snapshot'), id, path, isVerified: maybe };
const restore = {
  kind: literal('restore'),
  id,
  path,
  isVerified: maybe,
  /** From the backup, so that there is a percent from the first byte on. */
  totalBytes: optional(bytes),
  /** Files that are not in the snapshot go; those that look the same were written by an earlier attempt. */
  isExact: maybe,
  /** The volume has files of another time: those of the snapshot are all written, and the others go. */
  isBroughtUp: maybe,
};

const Job = oneOf('uploader', {
  kopia: oneOf('kind', {
    snapshot: object({
      ...snapshot,
      ...kopia,
      source: object({ namespace: name, pod: name, volume: name }),
      tags: optional(texts(/^[\w.-]{1,63}$/, text({ max: 512 }))),
      /** Create the repository where there is none, and set the rules for its snapshots. */
      isPreparing: maybe,
      parallel,
    }),
    restore: object({
      ...restore,
      ...kopia,
      snapshotID,
      /** The volume's id in its backup, under which its checksums are found. */
      volumeId: optional(id),
      parallel,
      /** For file systems on which nobody may give files away, such as NFS. */
      ignoresOwners: maybe,
    }),
    delete: object({
      kind: literal('delete'),
      id,
      ...kopia,
      snapshotIDs: list(snapshotID, { max: MAX_SNAPSHOTS }),
      /** Volumes whose checksums and half-done snapshots go as well. */
      volumes: optional(list(id, { max: MAX_SNAPSHOTS })),
    }),
    maintain: object({ kind: literal('maintain'), id, ...kopia, isFull: maybe }),
    list: object({
      kind: literal('list'),
      id,
      ...kopia,
      snapshotID,
      /** Of the list; what does not fit is left out, and that is said. */
      maxBytes: bytes,
    }),
  }),
  stream: oneOf('kind', { snapshot: object({ ...snapshot, ...stream }), restore: object({ ...restore, ...stream }) }),
});

/** What a mover is told to do. It holds no secret: those are files beside it, or variables. */
export type MoverJob = ShapeOf<typeof Job>;
export type KopiaJob = Extract<MoverJob, { uploader: 'kopia' }>;
export type StreamJob = Extract<MoverJob, { uploader: 'stream' }>;

const VERSION = 1;

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
  try {
    return Job(fields, '');
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw new AppError('invalidConfig', cleanText(`read the job of a mover: ${error.message}`), { cause: error });
  }
}
