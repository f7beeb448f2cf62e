import type { ApiObject } from '../object/index.ts';
import type { Resource } from '../registry/index.ts';
import { parseFieldSelector, parseLabelSelector } from '../selectors/index.ts';
import type { Stored } from '../store/index.ts';

/** Which objects a list or a watch is about. */
export interface Selection {
  resource: Resource;
  namespace: string | undefined;
  /** Undefined when every object of the resource and namespace matches. */
  matches: ((object: Readonly<ApiObject>) => boolean) | undefined;
  /** Set when at most one name matches. */
  name: string | undefined;
}

export interface SelectionText {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
}

export function select(resource: Resource, text: SelectionText): Selection {
  const labels = parseLabelSelector(text.labelSelector ?? '');
  const fields = parseFieldSelector(text.fieldSelector ?? '', {
    storage: resource.storage,
    isCustom: resource.custom !== undefined,
    selectable: resource.custom?.selectableFields ?? [],
  });
  const isEverything = labels === undefined && fields === undefined;
  return {
    resource,
    namespace: text.namespace,
    name: fields?.name,
    matches: isEverything
      ? undefined
      : (object) => (labels?.(object.metadata.labels ?? {}) ?? true) && (fields?.matches(object) ?? true),
  };
}

export function isSelected({ namespace, name, matches }: Selection, stored: Stored): boolean {
  if (namespace !== undefined && stored.namespace !== namespace) return false;
  if (name !== undefined && stored.name !== name) return false;
  return matches === undefined || matches(stored.object);
}
