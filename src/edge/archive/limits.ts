/** What an archive may cost its reader. Whoever made it may mean harm. */
export interface ArchiveLimits {
  maxItemBytes: number;
  /** Items; entries that a reader passes over may be twice as many. */
  maxEntries: number;
  /** Types, namespaces and names of all items together: what the index of an archive holds in memory. */
  maxNameBytes: number;
  /** Decompressed. */
  maxArchiveBytes: number;
  /** Decompressed bytes for each compressed one, looked at beyond the first 64 MiB. */
  maxRatio: number;
}

const MIB = 1024 ** 2;

/**
 * Objects of Kubernetes end at 1.5 MiB (what etcd takes), near-equal ones in one archive were measured at 64:1,
 * and gzip itself ends at about 1000:1.
 */
export const DEFAULT_LIMITS: Readonly<ArchiveLimits> = {
  maxItemBytes: 3 * MIB,
  maxEntries: 1_000_000,
  maxNameBytes: 96 * MIB,
  maxArchiveBytes: 16 * 1024 * MIB,
  maxRatio: 300,
};

/** Below this even a bomb is harmless, and a small archive of one odd object must not look like one. */
export const RATIO_FREE_BYTES: number = 64 * MIB;
/** Longer than any path of a Kubernetes object (a name has at most 253 characters, a namespace 63). */
export const MAX_PATH_LENGTH = 1024;
/** Of items; a cluster has some hundred. */
export const MAX_TYPES = 20_000;
/** Of an apiVersion or a kind, which names of Kubernetes are part of. */
export const MAX_KIND_LENGTH = 512;
/** Headers that say more of the next entry: one for a long name is usual, and that is far shorter. */
export const MAX_EXTENSION_BYTES: number = 64 * 1024;
export const MAX_EXTENSIONS = 4;
/** Of the file that tells the version of the format. */
export const MAX_VERSION_BYTES = 100;
/** Of one item. What etcd takes has fewer, unless it is made of nothing but digits and commas. */
export const MAX_ITEM_VALUES = 250_000;
/** One bad item is that item's problem; this many are a bad archive. */
export const MAX_PROBLEMS = 1000;
