import type { LabelSelector } from '../../api/index.ts';
import { textAt, textsAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { BackupPlan } from './select.ts';
import { NAMESPACES } from './type-filter.ts';
import { type DiscoveredType, groupResourceOf, matchesSelector } from '../selection/index.ts';

export const EXCLUDE_LABEL = 'velero.io/exclude-from-backup';

/**
 * Why an item is not backed up, whether it was listed or is needed by another; undefined when it is. Cluster-scoped
 * items that others need are admitted more freely than their type is listed. `reasonToLeaveOutNamespace` decides about
 * namespaces.
 */
export function reasonToLeaveOut(plan: BackupPlan, type: DiscoveredType, object: JsonObject): string | undefined {
  const ownReason = reasonInObject(object);
  if (ownReason !== undefined) return ownReason;
  const namespace = textAt(object, 'metadata', 'namespace');
  if (namespace !== undefined && !plan.namespaces.includes(namespace)) {
    return `namespace ${namespace} is not in the backup`;
  }
  if (groupResourceOf(type) === NAMESPACES) return undefined;
  const reason = namespace === undefined ? plan.filter.reasonToRefuse(type) : plan.filter.reasonToSkip(type);
  return reason ?? reasonInName(plan, type, object);
}

/**
 * A kind that policies do not mention may still be needed by another item, but an item that they exclude by name may
 * not.
 */
function reasonInName({ fine }: BackupPlan, type: DiscoveredType, object: JsonObject): string | undefined {
  const rule = fine?.ruleFor(textAt(object, 'metadata', 'namespace'), groupResourceOf(type), type.kind);
  if (rule === undefined || rule === 'none' || rule.hasName(textAt(object, 'metadata', 'name') ?? '')) return undefined;
  return 'the resource policies do not name it';
}

/** Why labels and policies do not select an item; not checked for items that others need. */
export function reasonNotSelected(plan: BackupPlan, type: DiscoveredType, object: JsonObject): string | undefined {
  const rule = plan.fine?.ruleFor(textAt(object, 'metadata', 'namespace'), groupResourceOf(type), type.kind);
  if (rule === 'none') return 'the resource policies name its namespace and not its kind';
  const labels = textsAt(object, 'metadata', 'labels');
  if (rule !== undefined) return rule.hasLabels(labels) ? undefined : 'the resource policies want other labels';
  const selectors = selectorsOf(plan);
  const isSelected = selectors.length === 0 || selectors.some((selector) => matchesSelector(selector, labels));
  return isSelected ? undefined : 'no selector matches its labels';
}

/**
 * Why a namespace's own object is not backed up. `hasItems`: something inside it is. A namespace selected by its labels
 * is included even if its name is not listed, as in Velero; but never one that the spec excludes.
 */
export function reasonToLeaveOutNamespace(plan: BackupPlan, object: JsonObject, hasItems: boolean): string | undefined {
  const ownReason = reasonInObject(object);
  if (ownReason !== undefined) return ownReason;
  const { namespaces } = plan;
  const name = textAt(object, 'metadata', 'name') ?? '';
  if (namespaces.excludes(name)) return 'excludedNamespaces names it';
  if (hasItems) return undefined;
  const selectors = selectorsOf(plan);
  if (selectors.some((selector) => matchesSelector(selector, textsAt(object, 'metadata', 'labels')))) return undefined;
  if (namespaces.isEverything && selectors.length > 0) return 'nothing in it is selected';
  return namespaces.includes(name) ? undefined : 'includedNamespaces does not name it';
}

function selectorsOf({ spec }: BackupPlan): readonly LabelSelector[] {
  return spec.labelSelector === undefined ? (spec.orLabelSelectors ?? []) : [spec.labelSelector];
}

function reasonInObject(object: JsonObject): string | undefined {
  if (textsAt(object, 'metadata', 'labels')[EXCLUDE_LABEL] === 'true') return `it has the label ${EXCLUDE_LABEL}=true`;
  if (valueAt(object, 'metadata', 'deletionTimestamp') !== undefined) return 'it is being deleted';
  return undefined;
}
