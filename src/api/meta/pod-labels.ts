import { objectsAt } from '../../base/index.ts';
import type { KubeObject } from './kube-object.ts';

/**
 * On every pod that Headway itself starts; the value is what the pod is for, such as `mover`. Such a pod does real work,
 * so a pocket cluster never simulates it: it runs, or fails with the reason.
 */
export const HEADWAY_POD_LABEL = 'headway.io/pod';

/** The uid of the object that such a pod works for: by it the pod is found where an owner reference cannot reach. */
export const OWNER_UID_LABEL = 'headway.io/owner-uid';

/** What Kanister puts on the pods of Blueprint functions. Tools look for it, so such pods carry it and no label of ours. */
export const CREATED_BY_KANISTER = { createdBy: 'kanister' } as const;

/** Whether a pod does real work for Headway, by its labels. */
export function isWorkingPod(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels?.[HEADWAY_POD_LABEL] !== undefined || labels?.['createdBy'] === CREATED_BY_KANISTER.createdBy;
}

/** Whether a pod says, in either way, that it works for the object with this uid. */
export function worksFor({ metadata }: Pick<KubeObject, 'metadata'>, uid: string): boolean {
  const references = objectsAt(metadata, 'ownerReferences');
  return metadata.labels?.[OWNER_UID_LABEL] === uid || references.some((reference) => reference['uid'] === uid);
}
