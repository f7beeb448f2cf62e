/** How the server of bench/backup-restore.ts and the benchmark speak about progress that is on and off in turns. */
export const TURN_MS = 2000;

/** A status that is written once a second cannot be found in the noise; so each is written so often. */
export const TIMES = 20;

/** Two neighbours are a pair, and every other pair begins with the other one: what grows steadily hits both alike. */
export const PROGRESS = ['on', 'off', 'off', 'on'] as const;

export interface Turn {
  progress: (typeof PROGRESS)[number];
  objects: number;
  /** Of progress. */
  writes: number;
  ms: number;
  cpuMs: number;
}
