import { textAt, textsAt, valueAt, type JsonObject } from '../../base/index.ts';
import { groupResourceOf, type DiscoveredType } from './discovered-type.ts';
import { matchesSelector } from './label-selector.ts';
import type { BackupPlan } from './select.ts';
import { NAMESPACES } from './type-filter.ts';

export const EXCLUDE_LABEL = 'velero.io/exclude-from-backup';

/**
 * Why an item is not backed up, whether it was listed or is needed by another; undefined when it is. The cluster-scoped
 * ones that others need are let in more freely than their type is listed. Namespaces are decided by
 * `reasonToLeaveOutNamespace`.
 */
export function reasonToLeaveOut(plan: BackupPlan, type: DiscoveredType, object: JsonObject): string | undefined {
  const ownReason = reasonInObject(object);
  if (ownReason !== undefined) return ownReason;
  const namespace = textAt(object, 'metadata', 'namespace');
  if (namespace !== undefined) {
    if (!plan.namespaces.includes(namespace)) return `namespace ${namespace} is not in the backup`;
    return plan.filter.reasonToSkip(type);
  }
  return groupResourceOf(type) === NAMESPACES ? undefined : plan.filter.reasonToRefuse(type);
}

/**
 * Why a namespace's own object is not backed up. `hasItems`: something inside it is. One that its labels select is in
 * even when its name is not listed, as in Velero; but one that the spec excludes never is.
 */
export function reasonToLeaveOutNamespace(plan: BackupPlan, object: JsonObject, hasItems: boolean): string | undefined {
  const ownReason = reasonInObject(object);
  if (ownReason !== undefined) return ownReason;
  const { spec, namespaces } = plan;
  const name = textAt(object, 'metadata', 'name') ?? '';
  if (namespaces.excludes(name)) return 'excludedNamespaces names it';
  if (hasItems) return undefined;
  const selectors = spec.labelSelector === undefined ? (spec.orLabelSelectors ?? []) : [spec.labelSelector];
  if (selectors.some((selector) => matchesSelector(selector, textsAt(object, 'metadata', 'labels')))) return undefined;
  if (namespaces.isEverything && selectors.length > 0) return 'nothing in it is selected';
  return namespaces.includes(name) ? undefined : 'includedNamespaces does not name it';
}

function reasonInObject(object: JsonObject): string | undefined {
  if (textsAt(object, 'metadata', 'labels')[EXCLUDE_LABEL] === 'true') return `it has the label ${EXCLUDE_LABEL}=true`;
  if (valueAt(object, 'metadata', 'deletionTimestamp') !== undefined) return 'it is being deleted';
  return undefined;
}
