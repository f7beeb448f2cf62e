import { PERSISTENT_VOLUME_CLAIM } from '../../../api/index.ts';
import { AppError } from '../../../base/index.ts';
import type { KubeClient } from '../../../edge/kube/index.ts';
import { readObject } from '../../runtime/objects/index.ts';

/**
 * Why no pod will ever mount a claim: somebody has deleted it, or is waiting for it to go. Undefined when it is there, or
 * when that cannot be learned now. Its pod would wait for ever, and not end.
 */
export async function claimLoss(
  claim: { namespace: string; name: string },
  deps: { kube: KubeClient },
  signal: AbortSignal,
): Promise<AppError | undefined> {
  try {
    const found = await readObject({ type: PERSISTENT_VOLUME_CLAIM, ...claim }, deps, signal);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined) return undefined;
  } catch {
    // The API server does not answer, or nobody waits any more.
    return undefined;
  }
  const what = `mount PersistentVolumeClaim ${claim.namespace}/${claim.name}`;
  return new AppError('invalid', `${what}: it was deleted before its mover began`);
}
