import { CREATED_BY_KANISTER, POD, worksFor } from '../../../api/index.ts';
import { isAppError } from '../../../base/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { JOB_GRACE_SECONDS } from '../functions/function-pods.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';

/** Deletes every pod that works for a set, in whatever namespace. */
export async function removeJobPods(set: KubeObject, { kube }: { kube: Kube }, signal: AbortSignal): Promise<void> {
  const { uid = '' } = set.metadata;
  const options = { labelSelector: `createdBy=${CREATED_BY_KANISTER.createdBy}`, signal };
  for await (const { items } of kube.list({ type: POD }, options)) {
    for (const pod of items) {
      if (!worksFor(pod, uid)) continue;
      const { namespace = '', name } = pod.metadata;
      try {
        await kube.delete(
          { type: POD, namespace, name },
          {
            ...{ signal, deadlineMs: CALL_DEADLINE_MS, gracePeriodSeconds: JOB_GRACE_SECONDS },
          },
        );
      } catch (error) {
        if (!isAppError(error, 'notFound')) throw error;
      }
    }
  }
}
