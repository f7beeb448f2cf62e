/** Law 7, unless a stage says otherwise. */
export const STALL_LIMIT_MS = 120_000;

/** Why nothing moves and what a person can do about it; the controller reads it from the cluster. */
export interface Diagnosis {
  cause: string;
  hint: string;
}

export interface Stalled extends Diagnosis {
  sinceSeconds: number;
}

export const NO_DIAGNOSIS: Diagnosis = {
  cause: 'no cause found yet',
  hint: 'look at the events and the log of the operation',
};

/** For how many whole seconds nothing has advanced; undefined below the limit. */
export function stalledSeconds(lastAdvanceAt: number, now: number, limitMs: number): number | undefined {
  const idleMs = now - lastAdvanceAt;
  return idleMs >= limitMs ? Math.floor(idleMs / 1000) : undefined;
}
