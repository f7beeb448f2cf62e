import { isAppError } from '../../../base/index.ts';
import { CRON_JOBS, JOBS, type Job } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { ownerKeys } from '../owned.ts';
import { controllerOf } from '../owner-index.ts';
import type { ControllerDeps } from '../ports.ts';
import { timestamp } from '../timestamp.ts';
import { cronJobJob, planCronJob } from './cron-job-plan.ts';

/** Starts jobs by the clock. A job's name holds its minute, so none is started twice. */
export function cronJobController(deps: ControllerDeps): Controller {
  const { client, clock, owners } = deps;
  const jobsOf = (uid: string): Job[] =>
    owners.dependents(uid).flatMap((place) => {
      const job = place.storage === 'jobs.batch' ? client.get(JOBS, place.namespace, place.name) : undefined;
      return job !== undefined && controllerOf(job)?.uid === uid ? [job] : [];
    });
  return {
    name: 'cronjob',
    watches: [watch(CRON_JOBS), watch(JOBS, ownerKeys(deps, CRON_JOBS))],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const cronJob = client.get(CRON_JOBS, namespace, name);
      if (cronJob === undefined) return undefined;
      const plan = planCronJob(cronJob, jobsOf(cronJob.metadata.uid ?? ''), clock.now());
      for (const { metadata } of plan.remove) {
        await client.delete(JOBS, namespace, metadata.name, { propagation: 'Background' });
      }
      let { status } = plan;
      if (plan.start !== undefined) {
        await client.create(JOBS, cronJobJob(cronJob, plan.start)).catch(ignoreExisting);
        status = { ...status, lastScheduleTime: timestamp(plan.start) };
      }
      await client.update(CRON_JOBS, { ...cronJob, status }, 'status');
      return plan.nextInMs;
    },
  };
}

/** Somebody else's job has the name; the minute counts as done. */
function ignoreExisting(error: unknown): void {
  if (!isAppError(error, 'alreadyExists')) throw error;
}
