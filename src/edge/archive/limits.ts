/** What an archive may cost its reader. Whoever made it may mean harm. */
export interface ArchiveLimits {
  maxItemBytes: number;
  /** Items; entries that a reader passes over may be twice as many. */
  maxEntries: number;
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
  maxArchiveBytes: 16 * 1024 * MIB,
  maxRatio: 300,
};

/** Below this even a bomb is harmless, and a small archive of one odd object must not look like one. */
export const RATIO_FREE_BYTES: number = 64 * MIB;
/** Longer than any path of a Kubernetes object (a name has at most 253 characters, a namespace 63). */
export const MAX_PATH_LENGTH = 1024;
/** One bad item is that item's problem; this many are a bad archive. */
export const MAX_PROBLEMS = 1000;
