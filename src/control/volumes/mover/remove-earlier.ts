import { OWNER_UID_LABEL, POD, SECRET } from '../../../api/index.ts';
import { AppError, isAppError, labelValue, type Clock } from '../../../base/index.ts';
import type { Kube, NamedTarget } from '../../../edge/kube/index.ts';
import { removePod } from '../../pods/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { moverPodName, VOLUME_LABEL } from './pod-mover.ts';
import type { MoverTask } from './task.ts';

const KINDS = ['snapshot', 'restore', 'delete', 'maintain', 'list'] as const;

type Earlier = Pick<MoverTask, 'id' | 'owner' | 'claim'>;

/**
 * Ends pods of earlier attempts at the same volume, which a killed process left, and waits until they are gone. Throws
 * if one does not go, as on a node that does not answer: two must not write to a volume at once.
 */
export async function removeEarlier(
  { id, owner, claim: { namespace } }: Earlier,
  attempt: number,
  { kube, clock }: { kube: Kube; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  if (attempt <= 1) return;
  const namesAt = (one: number): string[] => KINDS.map((kind) => moverPodName(owner, { id, kind }, one));
  const current = namesAt(attempt);
  // A Secret goes with its pod, unless its process was killed before it could say so.
  for (let earlier = attempt - 1; earlier > 0; earlier -= 1) {
    for (const name of namesAt(earlier)) await remove({ type: SECRET, namespace, name }, kube, signal);
  }
  const labelSelector = `${OWNER_UID_LABEL}=${owner.object.metadata.uid ?? ''},${VOLUME_LABEL}=${labelValue(id)}`;
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector, signal })) {
    for (const pod of items) {
      const { name } = pod.metadata;
      if (current.includes(name)) continue;
      if (await removePod(pod, { kube, clock }, { signal })) continue;
      throw new AppError(
        'conflict',
        `copy a volume: pod ${namespace}/${name} of an earlier attempt does not end, and two must not work on one volume`,
      );
    }
  }
}

async function remove(target: NamedTarget, kube: Kube, signal: AbortSignal): Promise<void> {
  try {
    await kube.delete(target, { signal, deadlineMs: CALL_DEADLINE_MS });
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
  }
}
