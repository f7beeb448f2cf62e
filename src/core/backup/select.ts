import type { BackupSpec } from '../../api/index.ts';
import { NAMESPACES, typeFilter, type TypeFilter } from './type-filter.ts';
import {
  type DiscoveredType,
  type FilterPolicies,
  type FineFilter,
  fineFilter,
  formatSelector,
  groupResourceOf,
  hasFilterPolicies,
  type IncludeExcludePolicy,
  type NamespaceSelection,
  preferredTypes,
  resourceNames,
  selectNamespaces,
  type Unmatched,
  unmatchedNames,
} from '../selection/index.ts';

/** Where the wanted items of a type are. Which lists get them cheapest is decided when the first page is there. */
export type ListScope =
  { kind: 'cluster' } | { kind: 'allNamespaces' } | { kind: 'namespaces'; namespaces: readonly string[] };

export interface PlannedList {
  type: DiscoveredType;
  groupResource: string;
  scope: ListScope;
  /** One LIST for each; an item that several return is one item. An empty string selects all. */
  labelSelectors: readonly string[];
  /** Policies filter these items in ways that the server does not support, so `reasonNotSelected` has to. */
  isSelectedHere: boolean;
  /** Items that come first, as `namespace/name` or `name`. */
  order: readonly string[];
  /**
   * Its items come one list after the other, and before those of all other lists: pods are frozen before their claims
   * and volumes are looked at, and users have asked for an order.
   */
  isInTurn: boolean;
}

export interface LeftOutType {
  groupResource: string;
  reason: string;
}

/** What to request from the cluster, and why the rest is left out. */
export interface BackupPlan {
  spec: BackupSpec;
  lists: readonly PlannedList[];
  leftOut: readonly LeftOutType[];
  namespaces: NamespaceSelection;
  filter: TypeFilter;
  /** Names in the spec that match nothing in the cluster. */
  unmatched: readonly Unmatched[];
  /** What policies say about single kinds; undefined when there are none. */
  fine: FineFilter | undefined;
  /** Every type in its preferred version, by group-resource. */
  types: ReadonlyMap<string, DiscoveredType>;
}

export interface PlanInput {
  spec: BackupSpec;
  /** All versions of all types, in the server's order. */
  types: readonly DiscoveredType[];
  namespaces: readonly string[];
  policy?: IncludeExcludePolicy;
  filterPolicies?: FilterPolicies;
}

const NEEDED_VERBS = ['list', 'create', 'get', 'delete'];
// The same objects under two names; the first one found is used.
const COHABITING: Readonly<Record<string, readonly string[]>> = {
  deployments: ['extensions', 'apps'],
  daemonsets: ['extensions', 'apps'],
  replicasets: ['extensions', 'apps'],
  networkpolicies: ['extensions', 'networking.k8s.io'],
  events: ['', 'events.k8s.io'],
};
// A pod's hooks must run around its claims and their volumes.
const FIRST_OF_CORE = ['pods', 'persistentvolumeclaims', 'persistentvolumes'];

export function planBackup(input: PlanInput): BackupPlan {
  const { spec, types: all, namespaces: existing, policy, filterPolicies } = input;
  const types = inOrder(preferredTypes(all));
  const names = resourceNames(types);
  const namespaces = selectNamespaces(spec, existing);
  const scopes = new Map(types.map((type) => [groupResourceOf(type), type.namespaced]));
  const isNamespaced = (groupResource: string): boolean | undefined => scopes.get(groupResource);
  const filter = typeFilter(spec, { names, isNamespaced, namespaces, ...(policy === undefined ? {} : { policy }) });
  const fine = filterPolicies && hasFilterPolicies(filterPolicies) ? fineFilter(filterPolicies, names) : undefined;
  const everywhere = namespacedScope(namespaces);
  const orders = new Map(
    Object.entries(spec.orderedResources ?? {}).map(([name, order]) => [names.resolve(name) ?? name, order]),
  );
  const lists: PlannedList[] = [];
  const leftOut: LeftOutType[] = [];
  const taken = new Map<string, string>();
  for (const type of types) {
    const groupResource = groupResourceOf(type);
    const reason = reasonToSkip(type, filter, taken);
    if (reason !== undefined) {
      leftOut.push({ groupResource, reason });
      continue;
    }
    if (isCohabiting(type)) taken.set(type.plural, groupResource);
    const scope: ListScope = type.namespaced ? scopeFor(type, everywhere, fine) : { kind: 'cluster' };
    const isSelectedHere = groupResource !== NAMESPACES && hasRules(type, namespaces, fine);
    const order = (orders.get(groupResource) ?? '').split(',').flatMap((name) => name.trim() || []);
    lists.push({
      type,
      groupResource,
      scope,
      // Which namespaces belong to the backup is known only after everything else was listed.
      labelSelectors: groupResource === NAMESPACES || isSelectedHere ? [''] : selectorsOf(spec),
      isSelectedHere,
      order,
      isInTurn: order.length > 0 || (type.group === '' && FIRST_OF_CORE.includes(type.plural)),
    });
  }
  return {
    spec,
    lists,
    leftOut,
    namespaces,
    filter,
    unmatched: [...unmatchedNamespaces(spec, existing), ...filter.unmatched],
    fine,
    types: new Map(types.map((type) => [groupResourceOf(type), type])),
  };
}

function unmatchedNamespaces({ includedNamespaces }: BackupSpec, existing: readonly string[]): Unmatched[] {
  const saying = (name: string): string => `the cluster has no namespace "${name}"`;
  return unmatchedNames(includedNamespaces, { field: 'includedNamespaces', known: new Set(existing), saying });
}

function reasonToSkip(
  type: DiscoveredType,
  filter: TypeFilter,
  taken: ReadonlyMap<string, string>,
): string | undefined {
  const missing = NEEDED_VERBS.filter((verb) => !type.verbs.includes(verb));
  if (missing.length > 0) return `the cluster does not ${missing.join(', ')} it`;
  const reason = filter.reasonToSkip(type);
  if (reason !== undefined) return reason;
  const twin = isCohabiting(type) ? taken.get(type.plural) : undefined;
  return twin === undefined ? undefined : `its objects are backed up as ${twin}`;
}

function isCohabiting({ plural, group }: DiscoveredType): boolean {
  return COHABITING[plural]?.includes(group) ?? false;
}

/**
 * In the server's order, except for what must come first, and for `extensions`, whose types are old names of others.
 */
function inOrder(types: readonly DiscoveredType[]): DiscoveredType[] {
  const rank = ({ group, plural }: DiscoveredType): number => {
    if (group === 'extensions') return FIRST_OF_CORE.length + 2;
    if (group !== '') return FIRST_OF_CORE.length + 1;
    const first = FIRST_OF_CORE.indexOf(plural);
    return first >= 0 ? first : FIRST_OF_CORE.length;
  };
  return types.toSorted((a, b) => rank(a) - rank(b));
}

function namespacedScope({ chosen, existing }: NamespaceSelection): ListScope {
  if (chosen.length === existing.length) return { kind: 'allNamespaces' };
  return { kind: 'namespaces', namespaces: chosen };
}

/** Namespaces whose policies leave out the type are not listed at all. */
function scopeFor(type: DiscoveredType, scope: ListScope, fine: FineFilter | undefined): ListScope {
  if (fine === undefined || scope.kind !== 'namespaces') return scope;
  const groupResource = groupResourceOf(type);
  const namespaces = scope.namespaces.filter((name) => fine.ruleFor(name, groupResource, type.kind) !== 'none');
  return { kind: 'namespaces', namespaces };
}

function hasRules(type: DiscoveredType, { chosen }: NamespaceSelection, fine: FineFilter | undefined): boolean {
  if (fine === undefined) return false;
  const places = type.namespaced ? chosen : [undefined];
  return places.some((place) => fine.ruleFor(place, groupResourceOf(type), type.kind) !== undefined);
}

function selectorsOf({ labelSelector, orLabelSelectors }: BackupSpec): string[] {
  if (labelSelector !== undefined) return [formatSelector(labelSelector)];
  if (orLabelSelectors === undefined || orLabelSelectors.length === 0) return [''];
  return [...new Set(orLabelSelectors.map(formatSelector))];
}
