import { HEADWAY_POD_LABEL, OWNER_UID_LABEL, SECRET } from '../../../api/index.ts';
import { isAppError, type Clock } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import { removePodsOf } from '../../pods/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { MOVER_PURPOSE } from './purpose.ts';

/**
 * Ends all movers of an operation, whoever started them, and removes their Secrets: for one that ends without its work,
 * such as a backup that was canceled while no server ran.
 */
export async function removeMovers(
  ownerUid: string,
  deps: { kube: Kube; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const { kube } = deps;
  await removePodsOf(ownerUid, deps, signal);
  const labelSelector = `${HEADWAY_POD_LABEL}=${MOVER_PURPOSE},${OWNER_UID_LABEL}=${ownerUid}`;
  for await (const { items } of kube.list({ type: SECRET }, { labelSelector, signal })) {
    for (const { metadata } of items) {
      const target = { type: SECRET, namespace: metadata.namespace ?? '', name: metadata.name };
      try {
        await kube.delete(target, { signal, deadlineMs: CALL_DEADLINE_MS });
      } catch (error) {
        if (!isAppError(error, 'notFound')) throw error;
      }
    }
  }
}
