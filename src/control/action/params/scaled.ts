import { POD } from '../../../api/index.ts';
import { objectAt, textAt, valueAt } from '../../../base/index.ts';
import { formatSelector } from '../../../core/selection/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { selectorOf } from './workload.ts';

/** Why a workload does not have the pods it should have yet, and no others; undefined when it has. */
export async function whyNotScaled(
  workload: KubeObject,
  replicas: number,
  kube: Kube,
  signal: AbortSignal,
): Promise<string | undefined> {
  const status = objectAt(workload, 'status');
  const count = (field: string): number => {
    const value = valueAt(status, field);
    return typeof value === 'number' ? value : 0;
  };
  const seen = count('observedGeneration');
  const { generation } = workload.metadata;
  if (typeof generation === 'number' && seen < generation) return 'its controller has not seen the change';
  if (count('replicas') !== replicas) return `it has ${String(count('replicas'))} of ${String(replicas)} pods`;
  if (count('readyReplicas') !== replicas) return `${String(count('readyReplicas'))} of ${String(replicas)} are ready`;
  // A pod that is on its way out still holds its volumes, and is in no count.
  const left = await livingPods(workload, kube, signal);
  return left > replicas ? `${String(left - replicas)} pods are not gone yet` : undefined;
}

async function livingPods(workload: KubeObject, kube: Kube, signal: AbortSignal): Promise<number> {
  const { namespace = '' } = workload.metadata;
  const selector = selectorOf(workload);
  if (selector === undefined) return 0;
  let living = 0;
  const options = { labelSelector: formatSelector(selector), signal };
  for await (const { items } of kube.list({ type: POD, namespace }, options)) {
    for (const pod of items) {
      const phase = textAt(pod, 'status', 'phase');
      if (phase !== 'Succeeded' && phase !== 'Failed') living += 1;
    }
  }
  return living;
}
