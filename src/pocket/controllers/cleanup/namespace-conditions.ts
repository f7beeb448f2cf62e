import { withCondition } from '../conditions.ts';
import type { Condition, KubeObject } from '../kinds/index.ts';

/** What is left in a namespace that is going, by resource. */
export type Remaining = ReadonlyMap<{ group: string; plural: string }, readonly KubeObject[]>;

const FINE = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const;

/** As the real controller words them, because people wait on them and search for them. */
export function namespaceConditions(
  before: readonly Condition[] | undefined,
  { remaining, failures, now }: { remaining: Remaining; failures: readonly string[]; now: string },
): Condition[] {
  const bad = new Map<string, [reason: string, message: string]>();
  const resources = [...remaining].map(
    ([{ group, plural }, objects]) => `${plural}.${group} has ${objects.length} resource instances`,
  );
  if (resources.length > 0) {
    const message = `Some resources are remaining: ${resources.sort().join(', ')}`;
    bad.set('NamespaceContentRemaining', ['SomeResourcesRemain', message]);
  }
  const finalizers = countFinalizers(remaining);
  if (finalizers.length > 0) {
    const message = `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`;
    bad.set('NamespaceFinalizersRemaining', ['SomeFinalizersRemain', message]);
  }
  if (failures.length > 0) {
    const all = failures.toSorted().join(', ');
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${all}`;
    bad.set('NamespaceDeletionContentFailure', ['ContentDeletionFailed', message]);
  }
  return FINE.reduce<Condition[]>(
    (conditions, [type, okReason, okMessage]) => {
      const [reason, message] = bad.get(type) ?? [okReason, okMessage];
      return withCondition(conditions, { type, status: bad.has(type) ? 'True' : 'False', reason, message }, now);
    },
    [...(before ?? [])],
  );
}

function countFinalizers(remaining: Remaining): string[] {
  const counts = new Map<string, number>();
  for (const object of [...remaining.values()].flat()) {
    for (const finalizer of object.metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
}
