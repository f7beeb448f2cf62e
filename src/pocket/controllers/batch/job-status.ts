import { withCondition } from '../conditions.ts';
import type { Condition, Job, JobStatus, Pod } from '../kinds/index.ts';
import { conditionOf, isActive, isFinished, isGoing, isReady } from '../pod-state.ts';
import { timeOf, timestamp } from '../timestamp.ts';
import { formatIndexes, indexOf, isIndexed, parseIndexes } from './job-indexes.ts';

/** Holds a pod until its end is counted in the job's status. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';

export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING) === true;
}

export function isTrue(job: Job, condition: string): boolean {
  return conditionOf(job, condition)?.status === 'True';
}

export interface Totals {
  succeeded: number;
  failed: number;
}

/** Pods that ended, each once: those in the counters, those on their way there, and those just seen. */
export function totalsOf({ status = {} }: { status?: JobStatus }): Totals {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return { succeeded: (status.succeeded ?? 0) + succeeded.length, failed: (status.failed ?? 0) + failed.length };
}

/**
 * The counters, one step further. A pod's end is first noted by uid, then the pod is let go, and only then counted:
 * whenever we are killed, every pod is counted once.
 */
export function countEnds(job: Job, pods: readonly Pod[]): JobStatus {
  const { status = {} } = job;
  const tracked = new Map(pods.filter(isTracked).map((pod) => [pod.metadata.uid ?? '', pod]));
  const noted = status.uncountedTerminatedPods ?? {};
  const isNoted = new Set([...(noted.succeeded ?? []), ...(noted.failed ?? [])]);
  const ended = (end: 'Succeeded' | 'Failed'): string[] =>
    [...tracked].filter(([uid, pod]) => !isNoted.has(uid) && endOf(pod) === end).map(([uid]) => uid);
  const [keptSucceeded, countedSucceeded] = split(noted.succeeded, tracked);
  const [keptFailed, countedFailed] = split(noted.failed, tracked);
  const succeeded = [...keptSucceeded, ...ended('Succeeded')];
  const failed = [...keptFailed, ...ended('Failed')];
  const indexes = parseIndexes(status.completedIndexes);
  for (const pod of pods) if (pod.status?.phase === 'Succeeded' && indexOf(pod) >= 0) indexes.add(indexOf(pod));
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + countedSucceeded,
    failed: (status.failed ?? 0) + countedFailed,
    ...(isIndexed(job) ? { completedIndexes: formatIndexes(indexes) } : {}),
    uncountedTerminatedPods: {
      ...(succeeded.length === 0 ? {} : { succeeded }),
      ...(failed.length === 0 ? {} : { failed }),
    },
  };
}

/** A pod that is deleted counts as failed: one without a node would never get to say how it ended. */
function endOf(pod: Pod): 'Succeeded' | 'Failed' | undefined {
  const { phase } = pod.status ?? {};
  if (phase === 'Succeeded') return phase;
  return phase === 'Failed' || isGoing(pod) ? 'Failed' : undefined;
}

function split(uids: readonly string[] = [], tracked: ReadonlyMap<string, Pod>): [kept: string[], counted: number] {
  const kept = uids.filter((uid) => tracked.has(uid));
  return [kept, uids.length - kept.length];
}

/** The status with everything in it but the end of the job. */
export function jobStatus(job: Job, pods: readonly Pod[], now: number): JobStatus {
  const counted = countEnds(job, pods);
  const active = pods.filter(isActive);
  const isSuspended = job.spec.suspend === true;
  const { startTime, ...rest } = counted;
  const began = isSuspended ? undefined : (startTime ?? timestamp(now));
  const wasSuspended = isTrue(job, 'Suspended');
  let conditions = rest.conditions ?? [];
  if (isSuspended !== wasSuspended) {
    const condition: Condition = isSuspended
      ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
      : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
    conditions = withCondition(conditions, { ...condition, lastProbeTime: timestamp(now) }, timestamp(now));
  }
  return {
    ...rest,
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isGoing(pod) && !isFinished(pod)).length,
    // A job that is resumed starts its clock anew.
    ...(began === undefined ? {} : { startTime: wasSuspended && !isSuspended ? timestamp(now) : began }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

const REACHED = { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };

/** Why the job is about to end, if it is. */
export function verdictOf(job: Job, status: JobStatus, now: number): Condition | undefined {
  const existing = status.conditions?.find(
    ({ type, status: is }) => is === 'True' && (type === 'SuccessCriteriaMet' || type === 'FailureTarget'),
  );
  if (existing !== undefined) return existing;
  const { succeeded, failed } = totalsOf({ status });
  const failure = (reason: string, message: string): Condition => ({
    type: 'FailureTarget',
    status: 'True',
    reason,
    message,
  });
  if (failed > (job.spec.backoffLimit ?? 6)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadlineMs = deadlineInMs(job, status, now);
  if (deadlineMs === 0) return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  if (job.spec.suspend === true) return undefined;
  const { completions } = job.spec;
  const done = isIndexed(job) ? parseIndexes(status.completedIndexes).size : succeeded;
  const isDone = completions === undefined ? done > 0 && (status.active ?? 0) === 0 : done >= completions;
  return isDone ? { type: 'SuccessCriteriaMet', status: 'True', ...REACHED } : undefined;
}

/** Milliseconds left before the job takes too long: 0 when it has, undefined without a limit. */
export function deadlineInMs(job: Job, status: JobStatus, now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec;
  if (activeDeadlineSeconds === undefined || suspend === true || status.startTime === undefined) return undefined;
  return Math.max(0, timeOf(status.startTime) + Number(activeDeadlineSeconds) * 1000 - now);
}

/** Writes the verdict down; the job itself is over when nothing runs and every pod is counted. */
export function withVerdict(status: JobStatus, verdict: Condition, now: number): JobStatus {
  const time = timestamp(now);
  const add = (conditions: readonly Condition[] | undefined, condition: Condition): Condition[] =>
    withCondition(conditions, { ...condition, lastProbeTime: time }, time);
  const { uncountedTerminatedPods = {}, active = 0, terminating = 0 } = status;
  const isCounted = Object.keys(uncountedTerminatedPods).length === 0;
  const hasVerdict = status.conditions?.some(({ type, status: is }) => type === verdict.type && is === 'True') === true;
  const conditions = hasVerdict ? (status.conditions ?? []) : add(status.conditions, verdict);
  if (!isCounted || active > 0 || terminating > 0) return { ...status, conditions };
  const { reason = '', message = '' } = verdict;
  if (verdict.type === 'FailureTarget') {
    return { ...status, conditions: add(conditions, { type: 'Failed', status: 'True', reason, message }) };
  }
  const complete = add(conditions, { type: 'Complete', status: 'True', reason, message });
  return { ...status, completionTime: time, conditions: complete };
}
