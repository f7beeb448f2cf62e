import { isAppError } from '../../../base/index.ts';
import { JOBS, PODS, type Job, type Pod } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { ownedObjects, ownerKeys } from '../owned.ts';
import { controllerOf } from '../owner-index.ts';
import { isActive, isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { matchesSelector } from '../selector.ts';
import { timeOf } from '../timestamp.ts';
import { isOver } from './cron-job-plan.ts';
import { jobPod, planJob } from './job-plan.ts';
import { deadlineInMs, isTracked, jobStatus, TRACKING, verdictOf, withVerdict } from './job-status.ts';

/** Runs pods until enough of them succeeded. */
export function jobController(deps: ControllerDeps): Controller {
  const { client } = deps;
  const selects = (job: Job, pod: Pod): boolean => matchesSelector(job.spec.selector, pod.metadata.labels);
  return {
    name: 'job',
    watches: [watch(JOBS), watch(PODS, ownerKeys(deps, JOBS, selects))],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const job = client.get(JOBS, namespace, name);
      await releaseStrays(deps, { namespace, name }, job);
      if (job === undefined) return undefined;
      const pods = await ownedObjects(deps, {
        owner: job,
        ownerType: JOBS,
        type: PODS,
        storage: 'pods',
        matches: (pod) => selects(job, pod),
      });
      if (isGoing(job) || isOver(job)) {
        await release(deps, pods.filter(isTracked));
        return isGoing(job) ? undefined : expire(deps, job);
      }
      return advance(deps, job, pods);
    },
  };
}

async function advance(deps: ControllerDeps, job: Job, pods: readonly Pod[]): Promise<number | undefined> {
  const { client, clock } = deps;
  const namespace = job.metadata.namespace ?? '';
  const now = clock.now();
  const status = jobStatus(job, pods, now);
  const verdict = verdictOf(job, status, now);
  const plan = verdict === undefined ? planJob(job, pods, status) : { create: [], remove: pods.filter(isActive) };
  const next = verdict === undefined ? status : withVerdict(status, verdict, now);
  await client.update(JOBS, { ...job, status: next }, 'status');
  // Only what the status has noted may be let go.
  const noted = new Set(Object.values(next.uncountedTerminatedPods ?? {}).flat());
  await release(
    deps,
    pods.filter((pod) => isTracked(pod) && noted.has(pod.metadata.uid ?? '')),
  );
  await Promise.all([
    ...plan.create.map((index) => client.create(PODS, jobPod(job, index))),
    ...plan.remove.map((pod) => client.delete(PODS, namespace, pod.metadata.name)),
  ]);
  return verdict === undefined ? deadlineInMs(job, next, now) : undefined;
}

async function release({ client }: ControllerDeps, pods: readonly Pod[]): Promise<void> {
  await Promise.all(
    pods.map(async (pod) => {
      const finalizers = (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING);
      try {
        await client.update(PODS, { ...pod, metadata: { ...pod.metadata, finalizers } });
      } catch (error) {
        // It is gone already, and that was the aim.
        if (!isAppError(error, 'notFound')) throw error;
      }
    }),
  );
}

/** Pods whose job is gone, or is another one of the same name, or that were orphaned: nobody will count them. */
async function releaseStrays(deps: ControllerDeps, key: ObjectKey, job: Job | undefined): Promise<void> {
  const isStray = (pod: Pod): boolean => {
    const reference = controllerOf(pod);
    if (!isTracked(pod)) return false;
    if (reference === undefined) return job === undefined || !matchesSelector(job.spec.selector, pod.metadata.labels);
    return reference.kind === 'Job' && reference.name === key.name && reference.uid !== job?.metadata.uid;
  };
  // The common case of a living job costs nothing.
  const orphans = deps.owners.orphans('pods', key.namespace);
  const candidates =
    job === undefined
      ? deps.client.list(PODS, key.namespace)
      : orphans.flatMap(({ namespace, name }) => deps.client.get(PODS, namespace, name) ?? []);
  await release(deps, candidates.filter(isStray));
}

/** A job that is over goes after its time to live. */
async function expire({ client, clock }: ControllerDeps, job: Job): Promise<number | undefined> {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined) return undefined;
  const end = job.status?.conditions?.find(
    ({ type, status }) => status === 'True' && ['Complete', 'Failed'].includes(type),
  );
  const leftMs = timeOf(end?.lastTransitionTime) + ttlSecondsAfterFinished * 1000 - clock.now();
  if (leftMs > 0) return leftMs;
  const { namespace = '', name, uid = '' } = job.metadata;
  await client.delete(JOBS, namespace, name, { propagation: 'Foreground', preconditions: { uid } });
  return undefined;
}
