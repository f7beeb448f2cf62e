import type { ObjectRef } from '../../base/index.ts';
import type { Outcome } from '../progress/index.ts';
import { resourceList, type ResourceList, type ResultMessage } from '../selection/index.ts';

export interface RestoredItem extends Pick<ObjectRef, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  outcome: Outcome;
}

/** `{"v1/Secret": ["shop/login(created)"]}`. A namespace that already existed is not listed, as in Velero. */
export function restoredResourceList(items: Iterable<RestoredItem>): ResourceList {
  const listed = [...items].filter(
    ({ apiVersion, kind, outcome }) => !(apiVersion === 'v1' && kind === 'Namespace' && outcome === 'skipped'),
  );
  return resourceList(listed.map((item) => ({ ...item, name: `${item.name}(${item.outcome})` })));
}

/** Where a message about an item belongs. */
export function aboutItem(targetNamespace: string | undefined): ResultMessage['about'] {
  return targetNamespace === undefined ? 'cluster' : { namespace: targetNamespace };
}
