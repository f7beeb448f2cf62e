import { nextRun, parseCron, type Cron, type JsonObject } from '../../../base/index.ts';
import { CRON_JOBS, type CronJob, type Job } from '../kinds/index.ts';
import { controllerReference } from '../owned.ts';
import { conditionOf, isGoing } from '../pod-state.ts';
import { timeOf, timestamp } from '../timestamp.ts';

export interface CronPlan {
  /** The time to start a job for. */
  start: number | undefined;
  remove: Job[];
  status: NonNullable<CronJob['status']>;
  /** When the next job is due; undefined when time alone changes nothing. */
  nextInMs: number | undefined;
}

/** A clock that is a little behind must not wake us before the minute. */
const PADDING_MS = 100;
const MAX_STEPS = 10_000;

export function isOver(job: Job): boolean {
  return isIn(job, 'Complete') || isIn(job, 'Failed');
}

function isIn(job: Job, condition: string): boolean {
  return conditionOf(job, condition)?.status === 'True';
}

export function planCronJob(cronJob: CronJob, jobs: readonly Job[], now: number): CronPlan {
  const { spec } = cronJob;
  const running = jobs.filter((job) => !isOver(job));
  const plan = { start: undefined, remove: surplusJobs(cronJob, jobs), status: statusOf(cronJob, jobs) };
  const { cron } = parseCron(spec.schedule, spec.timeZone ?? 'UTC');
  if (isGoing(cronJob) || spec.suspend === true || cron === undefined) return { ...plan, nextInMs: undefined };
  const next = nextRun(cron, now);
  const nextInMs = next === undefined ? undefined : next - now + PADDING_MS;
  const due = lastDue(cronJob, cron, now);
  const isDone = due === undefined || jobs.some((job) => job.metadata.name === jobName(cronJob, due));
  if (isDone || (spec.concurrencyPolicy === 'Forbid' && running.length > 0)) return { ...plan, nextInMs };
  const replaced = spec.concurrencyPolicy === 'Replace' ? running : [];
  return { ...plan, start: due, remove: [...plan.remove, ...replaced], nextInMs };
}

/** The latest time that is due and not too late; earlier ones that were missed stay missed. */
function lastDue({ metadata, spec, status }: CronJob, cron: Cron, now: number): number | undefined {
  const deadline = now - Number(spec.startingDeadlineSeconds ?? Infinity) * 1000;
  const since = Math.max(timeOf(status?.lastScheduleTime ?? metadata.creationTimestamp), deadline);
  const first = nextRun(cron, since);
  if (first === undefined || first > now) return undefined;
  const second = nextRun(cron, first) ?? Infinity;
  // Going there in one jump: after years of standstill there may be millions of missed times.
  const between = Math.max(1, second - first);
  const jump = second > now ? first : first + (Math.floor((now - first) / between) - 1) * between;
  let due = first;
  let at = jump > first ? nextRun(cron, jump) : first;
  for (let step = 0; at !== undefined && at <= now && step < MAX_STEPS; step += 1) {
    due = at;
    at = nextRun(cron, at);
  }
  return due;
}

function jobName(cronJob: CronJob, due: number): string {
  return `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`;
}

export function cronJobJob(cronJob: CronJob, due: number): JsonObject & { metadata: JsonObject & { name: string } } {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      name: jobName(cronJob, due),
      namespace: cronJob.metadata.namespace ?? '',
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due) },
      ownerReferences: [controllerReference(CRON_JOBS, cronJob)],
    },
    spec,
  };
}

function surplusJobs({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const byStart = jobs.toSorted((a, b) => timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp));
  const beyond = (condition: string, limit: number): Job[] => {
    const over = byStart.filter((job) => isIn(job, condition));
    return over.slice(0, Math.max(0, over.length - limit));
  };
  const surplus = [
    ...beyond('Complete', spec.successfulJobsHistoryLimit ?? 3),
    ...beyond('Failed', spec.failedJobsHistoryLimit ?? 1),
  ];
  return surplus.filter((job) => !isGoing(job));
}

function statusOf({ status }: CronJob, jobs: readonly Job[]): NonNullable<CronJob['status']> {
  const active = jobs.filter((job) => !isOver(job)).map(referenceTo);
  const ends = jobs.filter((job) => isIn(job, 'Complete')).map((job) => timeOf(job.status?.completionTime));
  const last = Math.max(timeOf(status?.lastSuccessfulTime) || 0, ...ends.filter((end) => !Number.isNaN(end)));
  const { lastScheduleTime } = status ?? {};
  return {
    ...(active.length === 0 ? {} : { active }),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(last === 0 ? {} : { lastSuccessfulTime: timestamp(last) }),
  };
}

export function referenceTo({ metadata }: Job): JsonObject {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata;
  return { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion };
}
