/** What an archive may cost its reader. Its author may be hostile. */
export interface ArchiveLimits {
  maxItemBytes: number;
  /** Number of items; there may be twice as many entries that a reader skips. */
  maxEntries: number;
  /** Types, namespaces and names of all items together: what the index of an archive holds in memory. */
  maxNameBytes: number;
  /** Decompressed. */
  maxArchiveBytes: number;
  /** Decompressed bytes per compressed byte, checked after the first 64 MiB. */
  maxRatio: number;
}

const MIB = 1024 ** 2;

/**
 * Kubernetes objects are at most 1.5 MiB (etcd's limit); similar objects in one archive were measured at 64:1, and gzip
 * itself reaches at most about 1000:1.
 */
export const DEFAULT_LIMITS: Readonly<ArchiveLimits> = {
  maxItemBytes: 3 * MIB,
  maxEntries: 1_000_000,
  maxNameBytes: 96 * MIB,
  maxArchiveBytes: 16 * 1024 * MIB,
  maxRatio: 300,
};

/** Below this even a zip bomb is harmless, and a small archive with one odd object must not look like one. */
export const RATIO_FREE_BYTES: number = 64 * MIB;
/** Longer than any path of a Kubernetes object (a name has at most 253 characters, a namespace 63). */
export const MAX_PATH_LENGTH = 1024;
/** Types of items; a cluster has a few hundred. */
export const MAX_TYPES = 20_000;
/** Length of an apiVersion or a kind, which consist of Kubernetes names. */
export const MAX_KIND_LENGTH = 512;
/** Extended headers before an entry: one for a long name is common, and it is far shorter. */
export const MAX_EXTENSION_BYTES: number = 64 * 1024;
export const MAX_EXTENSIONS = 4;
/** Size of the file with the format version. */
export const MAX_VERSION_BYTES = 100;
/** Values in one item. Anything that etcd accepts has fewer, unless it consists of nothing but digits and commas. */
export const MAX_ITEM_VALUES = 250_000;
/** One bad item is that item's problem; this many mean a bad archive. */
export const MAX_PROBLEMS = 1000;
