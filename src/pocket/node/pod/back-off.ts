import { formatGoDuration } from '../../../base/index.ts';

/** How long a container that ended waits before it is started again. */
export interface BackOff {
  delayMs: number;
  /** When the delay was set. */
  at: number;
}

const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** What ran for so long is no longer held against it. */
const FORGOTTEN_MS = 2 * LONGEST_MS;

/** Milliseconds until it may be started again; 0 for now. The first time costs nothing. */
export function waitMs(backOff: BackOff | undefined, finishedAt: number, now: number): number {
  if (backOff === undefined || isForgotten(backOff, finishedAt)) return 0;
  return Math.max(0, finishedAt + backOff.delayMs - now);
}

/** The delay that counts if it ends once more: 10 s, then twice as much each time, up to 5 min. */
export function afterRestart(backOff: BackOff | undefined, finishedAt: number, now: number): BackOff {
  if (backOff === undefined || isForgotten(backOff, finishedAt)) return { delayMs: FIRST_MS, at: now };
  return { delayMs: Math.min(backOff.delayMs * 2, LONGEST_MS), at: now };
}

function isForgotten({ at }: BackOff, finishedAt: number): boolean {
  return finishedAt - at > FORGOTTEN_MS;
}

export function backOffText({ delayMs }: BackOff): string {
  return formatGoDuration(delayMs);
}
