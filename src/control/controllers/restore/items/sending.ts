import { parseJson } from '../../../../base/index.ts';
import type { Prepared, WorkItem } from '../../../../core/restore/index.ts';
import type { ApiResource, KubeObject, NamedTarget } from '../../../../edge/kube/index.ts';

/**
 * An item that is ready for the API server. It is text: as objects, the items in flight would outlive the young
 * generation, and collecting them took a fifth of a restore's processor time.
 */
export interface Sending {
  item: WorkItem;
  type: ApiResource;
  text: string;
  /** To be written after creation. */
  after: Pick<Prepared & { kind: 'send' }, 'status' | 'managedFields'>;
}

export function wantedOf({ text }: Sending): KubeObject {
  return parseJson(text) as KubeObject;
}

export function targetOf({ type, item }: Sending): NamedTarget {
  const { namespace, name } = item.target;
  return namespace === undefined ? { type, name } : { type, namespace, name };
}

export function isPod({ type }: Sending): boolean {
  return type.group === '' && type.plural === 'pods';
}
