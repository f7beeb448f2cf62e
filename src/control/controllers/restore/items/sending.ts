import type { Prepared, WorkItem } from '../../../../core/restore/index.ts';
import type { ApiResource, KubeObject, NamedTarget, Target } from '../../../../edge/kube/index.ts';

/** An item that is ready for the API server. */
export interface Sending {
  item: WorkItem;
  type: ApiResource;
  prepared: Prepared & { kind: 'send' };
  wanted: KubeObject;
}

export function collectionOf({ type, item }: Sending): Target {
  const { namespace } = item.target;
  return namespace === undefined ? { type } : { type, namespace };
}

export function targetOf(sending: Sending): NamedTarget {
  return { ...collectionOf(sending), name: sending.item.target.name };
}
