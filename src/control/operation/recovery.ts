import { STAGES } from '../../api/index.ts';
import { objectAt, textAt, type JsonObject } from '../../base/index.ts';
import type { Measure, Report } from '../../core/progress/index.ts';

/** How far an attempt got: the stage, and how much of it was done. */
interface Reached {
  stage: string;
  done: number;
}

/**
 * What status keeps about the attempts at an operation, so that one that kills the process is not restarted forever.
 */
export interface Recovery {
  attempt: number;
  /** Consecutive attempts that ended with their process or its leadership, without getting further. */
  lost: number;
  /** Consecutive attempts that could not be started at all, and why. */
  failed: number;
  error: string | undefined;
  furthest: Reached | undefined;
  /** An attempt is running. If the next one finds this set, the process died during it. */
  isOpen: boolean;
}

/** After this many deaths or lost leaderships at the same point, the operation may well be what kills the process. */
const MAX_LOST = 3;
const MAX_FAILED = 10;
/** For any reason: after this many attempts, nobody is waiting for it any more. */
const MAX_ATTEMPTS = 50;

export function recoveryOf(status: JsonObject): Recovery {
  const kept = objectAt(status, 'recovery');
  const stage = textAt(kept, 'stage');
  return {
    attempt: countOf(status['attempt']),
    lost: countOf(kept['lost']),
    failed: countOf(kept['failed']),
    error: textAt(kept, 'error'),
    furthest: stage === undefined ? undefined : { stage, done: countOf(kept['done']) },
    isOpen: kept['open'] === true,
  };
}

export type NextAttempt = { kind: 'begin'; recovery: Recovery } | { kind: 'giveUp'; reason: string };

/** `told` is the last report that the previous attempt wrote to status. */
export function nextAttempt(before: Recovery, told: Report | undefined, noun: string): NextAttempt {
  const reached = told === undefined ? undefined : reachedBy(told);
  const isFurther = reached !== undefined && isBeyond(reached, before.furthest);
  const lost = before.isOpen ? (isFurther ? 1 : before.lost + 1) : isFurther ? 0 : before.lost;
  const recovery = {
    attempt: before.attempt + 1,
    lost,
    failed: isFurther ? 0 : before.failed,
    error: before.error,
    furthest: isFurther ? reached : before.furthest,
    isOpen: true,
  };
  const reason = reasonToGiveUp(recovery, noun);
  return reason === undefined ? { kind: 'begin', recovery } : { kind: 'giveUp', reason };
}

function reasonToGiveUp({ lost, failed, error, attempt, furthest }: Recovery, noun: string): string | undefined {
  if (lost >= MAX_LOST) {
    const where = furthest === undefined ? '' : ` (it got as far as ${furthest.stage})`;
    return (
      `the process ended or lost its leadership ${lost} times during this ${noun} without getting further${where}; ` +
      `it is set aside so that others can run`
    );
  }
  if (failed >= MAX_FAILED)
    return `the ${noun} could not be worked on, ${failed} times in a row: ${error ?? 'unknown'}`;
  return attempt > MAX_ATTEMPTS ? `the ${noun} was started ${MAX_ATTEMPTS} times and never finished` : undefined;
}

/** As stored in `status`, beside `attempt`. */
export function recoveryFields({ attempt, lost, failed, error, furthest, isOpen }: Recovery): JsonObject {
  const recovery = {
    ...(isOpen ? { open: true } : {}),
    ...(lost > 0 ? { lost } : {}),
    ...(failed > 0 ? { failed, error: error ?? '' } : {}),
    ...furthest,
  };
  return { attempt, recovery: Object.keys(recovery).length === 0 ? null : recovery };
}

/** This process handed it over cleanly, or could not start it; either way it still exists and may continue. */
export function afterLeaving(recovery: Recovery): Recovery {
  return { ...recovery, isOpen: false };
}

export function afterFailure(recovery: Recovery, error: string): Recovery {
  return { ...recovery, isOpen: false, failed: recovery.failed + 1, error };
}

/** An operation without stages has only its measures to tell how far it got. */
const NO_STAGE = 'work';

function reachedBy({ stage = NO_STAGE, measures }: Report): Reached | undefined {
  if (stage === NO_STAGE && measures.length === 0) return undefined;
  const done = (unit: Measure['unit']): number => measures.find((measure) => measure.unit === unit)?.done ?? 0;
  // Bytes only grow where items do not.
  return { stage, done: done('items') + done('bytes') + done('phases') };
}

function isBeyond(a: Reached, b: Reached | undefined): boolean {
  if (b === undefined) return true;
  const [of, than] = [orderOf(a.stage), orderOf(b.stage)];
  return of === than ? a.done > b.done : of > than;
}

function orderOf(stage: string): number {
  return (STAGES as readonly string[]).indexOf(stage);
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
