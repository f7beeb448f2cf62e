import { OWNER_UID_LABEL, POD } from '../../../api/index.ts';
import { isAppError, type Clock } from '../../../base/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../runtime/objects/index.ts';

/** A pod's own grace period is 30 s unless it says otherwise. */
const GONE_WITHIN_MS = 90_000;
const LOOK_MS = 500;

/**
 * Deletes this very pod and waits until it is gone: its name and its volumes are free only then. False if it is still
 * there after its time, as on a node that does not answer.
 */
export async function removePod(
  { metadata }: KubeObject,
  { kube, clock }: { kube: Kube; clock: Clock },
  { signal, graceSeconds }: { signal: AbortSignal; graceSeconds?: number | undefined },
): Promise<boolean> {
  const { name, namespace = '', uid = '' } = metadata;
  const target = { type: POD, namespace, name };
  try {
    const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
    await kube.delete(target, { preconditions: { uid }, signal, deadlineMs: CALL_DEADLINE_MS, ...grace });
  } catch (error) {
    // Gone, or replaced by another one: either way there is nothing of ours left.
    if (isAppError(error, 'notFound', 'conflict')) return true;
    throw error;
  }
  const startedAt = clock.uptime();
  while (clock.uptime() - startedAt < GONE_WITHIN_MS) {
    const found = await readObject(target, { kube }, signal);
    if (found?.metadata.uid !== uid) return true;
    await clock.sleep(LOOK_MS, signal);
  }
  return false;
}

/**
 * Deletes every pod that works for an object, in whatever namespace, and waits until they are gone; for an operation
 * that ends without its work. Returns how many there were.
 */
export async function removePodsOf(
  uid: string,
  deps: { kube: Kube; clock: Clock },
  signal: AbortSignal,
): Promise<number> {
  const options = { labelSelector: `${OWNER_UID_LABEL}=${uid}`, signal };
  let removed = 0;
  for await (const { items } of deps.kube.list({ type: POD }, options)) {
    await Promise.all(Array.from(items, (pod) => removePod(pod, deps, { signal })));
    removed += items.length;
  }
  return removed;
}
