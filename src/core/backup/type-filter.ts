import type { BackupSpec } from '../../api/index.ts';
import {
  anyGlobMatcher,
  type DiscoveredType,
  groupResourceOf,
  type IncludeExcludePolicy,
  isGlob,
  type NamespaceSelection,
  type ResourceNames,
  type Unmatched,
} from '../selection/index.ts';

/** Which types a backup includes. Reasons are for people; undefined means included. */
export interface TypeFilter {
  /** Why a type is not listed. */
  reasonToSkip(type: DiscoveredType): string | undefined;
  /** Why not even a single item of a cluster-scoped type is included when another item needs it. */
  reasonToRefuse(type: DiscoveredType): string | undefined;
  /** The types that the spec wants and cannot get. One that it does not want need not be there. */
  unmatched: readonly Unmatched[];
}

export interface FilterContext {
  names: ResourceNames;
  /** Undefined for a type that the cluster does not have. */
  isNamespaced(groupResource: string): boolean | undefined;
  namespaces: NamespaceSelection;
  policy?: IncludeExcludePolicy;
}

export const NAMESPACES = 'namespaces';
/** The backup itself creates and keeps snapshots; existing ones belong to others. */
export const ALWAYS_EXCLUDED_NAMESPACED = 'volumesnapshots.snapshot.storage.k8s.io';
export const ALWAYS_EXCLUDED_CLUSTER = 'volumesnapshotcontents.snapshot.storage.k8s.io';
const ALWAYS_EXCLUDED: readonly string[] = [ALWAYS_EXCLUDED_NAMESPACED, ALWAYS_EXCLUDED_CLUSTER];

/** True when the spec uses includedResources, excludedResources or includeClusterResources. */
export function usesOldFilters(spec: BackupSpec): boolean {
  return (
    spec.includeClusterResources !== undefined ||
    (spec.includedResources ?? []).length > 0 ||
    (spec.excludedResources ?? []).length > 0
  );
}

export function typeFilter(spec: BackupSpec, context: FilterContext): TypeFilter {
  return usesOldFilters(spec) ? oldFilter(spec, context) : newFilter(spec, context);
}

interface NameList {
  isEmpty: boolean;
  hasAll: boolean;
  matches(groupResource: string): boolean;
}

/** The always excluded types do not count: otherwise no list of excludes would ever be empty. */
function nameList(given: readonly string[] | undefined, names: ResourceNames): NameList {
  const own = (given ?? []).filter((name) => !ALWAYS_EXCLUDED.includes(name));
  const resolved = own.map((name) => (name === '*' ? name : (names.resolve(name) ?? name)));
  return { isEmpty: own.length === 0, hasAll: own.includes('*'), matches: anyGlobMatcher(resolved) };
}

type IncludeField = 'includedResources' | 'includedNamespaceScopedResources' | 'includedClusterScopedResources';

/** Of the types that a list includes; `namespaced` where the list is for one sort only. */
function unmatchedTypes(
  spec: BackupSpec,
  field: IncludeField,
  context: FilterContext,
  namespaced?: boolean,
): Unmatched[] {
  return (spec[field] ?? []).flatMap((name) => {
    if (isGlob(name) || ALWAYS_EXCLUDED.includes(name)) return [];
    const type = context.names.resolve(name);
    if (type === undefined) return [{ field, name, message: `the cluster has no kind ${name}` }];
    if (namespaced === undefined || context.isNamespaced(type) === namespaced) return [];
    const scope = namespaced ? 'is cluster-scoped' : 'is not cluster-scoped';
    return [{ field, name, message: `${name} ${scope}, so ${field} cannot take it` }];
  });
}

function oldFilter(spec: BackupSpec, context: FilterContext): TypeFilter {
  const { names, namespaces } = context;
  const included = nameList(spec.includedResources, names);
  const excluded = nameList(spec.excludedResources, names);
  const reasonByName = (name: string): string | undefined => {
    if (ALWAYS_EXCLUDED.includes(name)) return 'snapshots are made by the backup itself';
    if (excluded.matches(name)) return 'excludedResources names it';
    return included.isEmpty || included.matches(name) ? undefined : 'includedResources does not name it';
  };
  return {
    reasonToSkip(type) {
      const name = groupResourceOf(type);
      if (!type.namespaced) {
        if (spec.includeClusterResources === false) return 'includeClusterResources is false';
        if (spec.includeClusterResources === undefined && name !== NAMESPACES && !namespaces.isEverything) {
          return 'it is cluster-scoped and only some namespaces are backed up';
        }
      }
      return reasonByName(name);
    },
    reasonToRefuse(type) {
      if (spec.includeClusterResources === false) return 'includeClusterResources is false';
      const name = groupResourceOf(type);
      if (spec.includeClusterResources === undefined) return reasonByName(name);
      return excluded.matches(name) ? 'excludedResources names it' : undefined;
    },
    unmatched: unmatchedTypes(spec, 'includedResources', context),
  };
}

function newFilter(spec: BackupSpec, context: FilterContext): TypeFilter {
  const { names, namespaces, policy } = context;
  const namespaced = scopedLists(
    [spec.includedNamespaceScopedResources, spec.excludedNamespaceScopedResources],
    [policy?.includedNamespaceScopedResources, policy?.excludedNamespaceScopedResources],
    names,
  );
  const cluster = scopedLists(
    [spec.includedClusterScopedResources, spec.excludedClusterScopedResources],
    [policy?.includedClusterScopedResources, policy?.excludedClusterScopedResources],
    names,
  );
  const takesAllNamespaced = namespaced.excluded.isEmpty && (namespaced.included.isEmpty || namespaced.included.hasAll);
  const takesAllCluster =
    cluster.included.isEmpty && cluster.excluded.isEmpty && namespaces.isEverything && takesAllNamespaced;
  return {
    reasonToSkip(type) {
      const name = groupResourceOf(type);
      if (ALWAYS_EXCLUDED.includes(name)) return 'snapshots are made by the backup itself';
      if (type.namespaced) {
        if (namespaced.excluded.matches(name)) return 'excludedNamespaceScopedResources names it';
        const isIn = namespaced.included.isEmpty || namespaced.included.matches(name);
        return isIn ? undefined : 'includedNamespaceScopedResources does not name it';
      }
      if (cluster.excluded.matches(name)) return 'excludedClusterScopedResources names it';
      if (takesAllCluster || name === NAMESPACES || cluster.included.matches(name)) return undefined;
      return 'it is cluster-scoped and includedClusterScopedResources does not name it';
    },
    reasonToRefuse(type) {
      return cluster.excluded.matches(groupResourceOf(type)) ? 'excludedClusterScopedResources names it' : undefined;
    },
    unmatched: [
      ...unmatchedTypes(spec, 'includedNamespaceScopedResources', context, true),
      ...unmatchedTypes(spec, 'includedClusterScopedResources', context, false),
    ],
  };
}

type Pair = [included: readonly string[] | undefined, excluded: readonly string[] | undefined];

/** A policy only adds names that the spec does not mention; within a policy, excludes come first. */
function scopedLists(spec: Pair, policy: Pair, names: ResourceNames): { included: NameList; excluded: NameList } {
  const own = [nameList(spec[0], names), nameList(spec[1], names)];
  const isFree = (name: string): boolean => !own.some((list) => list.matches(names.resolve(name) ?? name));
  const excludes = (policy[1] ?? []).filter(isFree);
  const isExcluded = new Set(excludes);
  const includes = (policy[0] ?? []).filter((name) => isFree(name) && !isExcluded.has(name));
  return {
    included: nameList([...(spec[0] ?? []), ...includes], names),
    excluded: nameList([...(spec[1] ?? []), ...excludes], names),
  };
}
