import { parseJson } from '../../../../base/index.ts';
import type { Prepared, WorkItem } from '../../../../core/restore/index.ts';
import type { ApiResource, KubeObject, NamedTarget } from '../../../../edge/kube/index.ts';

/**
 * An item that is ready for the API server. It is bytes of text: on the heap, the items in flight would outlive the young
 * generation. As objects, collecting them took a fifth of a restore's processor time, and as strings a twentieth.
 */
export interface Sending {
  item: WorkItem;
  type: ApiResource;
  text: Buffer;
  /** To be written after creation. */
  after: Pick<Prepared & { kind: 'send' }, 'status' | 'managedFields'>;
}

export function wantedOf({ text }: Sending): KubeObject {
  return parseJson(text.toString()) as KubeObject;
}

export function targetOf({ type, item }: Sending): NamedTarget {
  const { namespace, name } = item.target;
  return namespace === undefined ? { type, name } : { type, namespace, name };
}

export function isPod({ type }: Sending): boolean {
  return type.group === '' && type.plural === 'pods';
}
