import type { ResourceNames } from './discovered-type.ts';
import { isCatchAll, type FilterPolicies, type ResourceFilter } from './filter-policies.ts';
import { anyGlobMatcher, isGlob } from './glob.ts';
import { matchesSelector } from './label-selector.ts';

type Labels = Readonly<Record<string, string>>;

/** Which items of a kind a policy selects. It replaces the spec's selectors. */
export interface KindRule {
  hasName(name: string): boolean;
  hasLabels(labels: Labels): boolean;
}

/** What policies say about single kinds, in addition to what the spec says about all of them. */
export interface FineFilter {
  /**
   * The rule for a type, in a namespace or, without one, cluster-scoped. Undefined if policies do not mention it, so
   * that the spec's selectors apply; `none` if they name the namespace but not this type. `kind` is for types that the
   * cluster does not know.
   */
  ruleFor(namespace: string | undefined, groupResource: string, kind?: string): KindRule | 'none' | undefined;
}

interface KindRules {
  byName: ReadonlyMap<string, KindRule>;
  others: KindRule | undefined;
}

export function fineFilter(policies: FilterPolicies, names: ResourceNames): FineFilter {
  const ofCluster = kindRules(policies.clusterScopedFilterPolicy?.resourceFilters ?? [], names);
  const ofNamespaces = policies.namespacedFilterPolicies.flatMap(({ namespaces, resourceFilters }) => {
    const rules = kindRules(resourceFilters, names);
    return namespaces.map((pattern) => ({ pattern, matches: anyGlobMatcher([pattern]), rules }));
  });
  const byName = new Map(ofNamespaces.map(({ pattern, rules }) => [pattern, rules]));
  const byPattern = ofNamespaces.filter(({ pattern }) => isGlob(pattern));
  // A namespace listed by name takes precedence over patterns, and of those the first one counts.
  const rulesIn = (namespace: string): KindRules | undefined =>
    byName.get(namespace) ?? byPattern.find(({ matches }) => matches(namespace))?.rules;
  const find = ({ byName }: KindRules, groupResource: string, kind = ''): KindRule | undefined =>
    byName.get(groupResource) ?? byName.get(kind.toLowerCase());
  return {
    ruleFor(namespace, groupResource, kind) {
      if (namespace === undefined) return find(ofCluster, groupResource, kind);
      const rules = rulesIn(namespace);
      if (rules === undefined) return undefined;
      return find(rules, groupResource, kind) ?? rules.others ?? 'none';
    },
  };
}

function kindRules(filters: readonly ResourceFilter[], names: ResourceNames): KindRules {
  const byName = new Map<string, KindRule>();
  let others: KindRule | undefined;
  for (const filter of filters) {
    const rule = ruleOf(filter);
    if (isCatchAll(filter)) others = rule;
    // A name that the cluster does not know may be a kind that comes with the backup.
    else for (const kind of filter.kinds) byName.set(names.resolve(kind) ?? kind.toLowerCase(), rule);
  }
  return { byName, others };
}

function ruleOf({ labelSelector, orLabelSelectors, names, excludedNames }: ResourceFilter): KindRule {
  const selectors = labelSelector ? [labelSelector] : orLabelSelectors;
  const isIncluded = names.length === 0 ? () => true : anyGlobMatcher(names);
  const isExcluded = anyGlobMatcher(excludedNames);
  return {
    hasName: (name) => isIncluded(name) && !isExcluded(name),
    hasLabels: (labels) => selectors.length === 0 || selectors.some((selector) => matchesSelector(selector, labels)),
  };
}
