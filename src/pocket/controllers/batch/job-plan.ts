import type { JsonObject } from '../../../base/index.ts';
import { JOBS, type Container, type Job, type JobStatus, type Pod } from '../kinds/index.ts';
import { controllerReference } from '../owned.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { isActive } from '../pod-state.ts';
import { INDEX, indexOf, isIndexed, parseIndexes } from './job-indexes.ts';
import { totalsOf, TRACKING } from './job-status.ts';

interface JobPlan {
  /** One entry per pod to make: its index, or undefined for jobs without indexes. */
  create: (number | undefined)[];
  remove: Pod[];
}

const MAX_AT_ONCE = 500;

/** Which pods to make and remove while the job goes on. */
export function planJob(job: Job, pods: readonly Pod[], status: JobStatus): JobPlan {
  const active = pods.filter(isActive);
  if (job.spec.suspend === true) return { create: [], remove: active };
  const wanted = wantedPods(job, status, active.length);
  if (active.length > wanted) return { create: [], remove: active.slice(wanted) };
  const count = Math.min(MAX_AT_ONCE, wanted - active.length);
  if (!isIndexed(job)) return { create: Array.from({ length: count }, () => undefined), remove: [] };
  const taken = parseIndexes(status.completedIndexes);
  for (const pod of active) taken.add(indexOf(pod));
  const free: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && free.length < count; index += 1) {
    if (!taken.has(index)) free.push(index);
  }
  return { create: free, remove: [] };
}

function wantedPods(job: Job, status: JobStatus, active: number): number {
  const { parallelism = 1, completions } = job.spec;
  const { succeeded } = totalsOf({ status });
  // Without a number of completions the first success means that the work is done.
  if (completions === undefined) return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
  const done = isIndexed(job) ? parseIndexes(status.completedIndexes).size : succeeded;
  return Math.max(0, Math.min(parallelism, completions - done));
}

export function jobPod(job: Job, index: number | undefined): JsonObject {
  const { name, namespace = '' } = job.metadata;
  const { template } = job.spec;
  const prefix = index === undefined ? `${name}-` : `${name}-${index}-`;
  const pod = podFromTemplate(template, {
    namespace,
    generateName: prefix,
    owner: controllerReference(JOBS, job),
  });
  const metadata = { ...pod.metadata, finalizers: [...(template.metadata?.finalizers ?? []), TRACKING] };
  if (index === undefined) return { ...pod, metadata };
  return {
    metadata: {
      ...metadata,
      labels: { ...template.metadata?.labels, [INDEX]: String(index) },
      annotations: { ...template.metadata?.annotations, [INDEX]: String(index) },
    },
    spec: {
      ...template.spec,
      hostname: `${name}-${index}`,
      containers: template.spec.containers.map(withIndex),
      ...(template.spec.initContainers === undefined
        ? {}
        : { initContainers: template.spec.initContainers.map(withIndex) }),
    },
  };
}

function withIndex(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === 'JOB_COMPLETION_INDEX')) return container;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
  return { ...container, env: [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }] };
}
