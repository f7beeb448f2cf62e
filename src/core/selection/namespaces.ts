import type { BackupSpec } from '../../api/index.ts';
import { anyGlobMatcher, isGlob } from './glob.ts';

export interface NamespaceSelection {
  /** Whether items of a namespace are in the backup. */
  includes(namespace: string): boolean;
  /** Whether the spec explicitly excludes it. */
  excludes(namespace: string): boolean;
  /** True when every namespace is included: the backup is of the whole cluster. */
  isEverything: boolean;
  /** The cluster's namespaces that are included, sorted. */
  chosen: readonly string[];
  /** All that the cluster has. */
  existing: readonly string[];
  /** Listed by name, but not in the cluster. */
  missing: readonly string[];
}

type Lists = Pick<BackupSpec, 'includedNamespaces' | 'excludedNamespaces'>;

/** Excludes win over includes; no includes, or `*`, means all. A pattern that matches nothing selects nothing. */
export function selectNamespaces(spec: Lists, existing: readonly string[]): NamespaceSelection {
  const included = spec.includedNamespaces ?? [];
  const excluded = spec.excludedNamespaces ?? [];
  const isOpen = included.length === 0 || included.includes('*');
  const isIncluded = anyGlobMatcher(included);
  const excludes = anyGlobMatcher(excluded);
  const includes = (namespace: string): boolean => !excludes(namespace) && (isOpen || isIncluded(namespace));
  const chosen = existing.filter(includes).toSorted();
  const known = new Set(existing);
  const missing = included.filter((name) => !isGlob(name) && name !== '' && !known.has(name));
  const isAllByName = chosen.length > 0 && chosen.length === existing.length && missing.length === 0;
  return {
    includes,
    excludes,
    isEverything: excluded.length === 0 && (isOpen || isAllByName),
    chosen,
    existing,
    missing,
  };
}

/**
 * Two backups of the same objects at once would disturb each other's hooks; a whole-cluster backup overlaps with all
 * others.
 */
export function overlap(a: NamespaceSelection, b: NamespaceSelection): boolean {
  if (a.isEverything || b.isEverything) return true;
  const names = new Set(a.chosen);
  return b.chosen.some((name) => names.has(name));
}
