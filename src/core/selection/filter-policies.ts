import { z } from 'zod';
import { globProblem } from './glob.ts';
import { selectorProblems } from './label-selector.ts';

const texts = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);
const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Selector = z.strictObject({
  matchLabels: z.record(z.string(), scalarText).optional(),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.string(), values: z.array(scalarText).optional() }))
    .optional(),
});

const ResourceFilter = z.strictObject({
  kinds: texts,
  labelSelector: Selector.nullish(),
  orLabelSelectors: z
    .array(Selector)
    .nullish()
    .transform((list) => list ?? []),
  names: texts,
  excludedNames: texts,
});
export type ResourceFilter = z.output<typeof ResourceFilter>;

const resourceFilters = z
  .array(ResourceFilter)
  .nullish()
  .transform((list) => list ?? []);

export const ClusterScopedFilterPolicy = z.strictObject({ resourceFilters });
export const NamespacedFilterPolicy = z.strictObject({ namespaces: texts, resourceFilters });

/** What a policy document says about single kinds: cluster-scoped, and in namespaces by name or pattern. */
export interface FilterPolicies {
  clusterScopedFilterPolicy?: z.output<typeof ClusterScopedFilterPolicy> | undefined;
  namespacedFilterPolicies: readonly z.output<typeof NamespacedFilterPolicy>[];
}

/** Whether it applies to every kind that no other filter of its policy names. */
export function isCatchAll({ kinds }: ResourceFilter): boolean {
  return kinds.length === 0 || (kinds.length === 1 && kinds[0] === '*');
}

export function hasFilterPolicies({ clusterScopedFilterPolicy, namespacedFilterPolicies }: FilterPolicies): boolean {
  return clusterScopedFilterPolicy !== undefined || namespacedFilterPolicies.length > 0;
}

export function filterPolicyProblems({
  clusterScopedFilterPolicy: cluster,
  namespacedFilterPolicies: namespaced,
}: FilterPolicies): string[] {
  const patterns = namespaced.flatMap(({ namespaces }) => namespaces);
  const twice = repeated(patterns);
  return [
    ...(cluster === undefined ? [] : clusterProblems(cluster.resourceFilters)),
    ...namespaced.flatMap(({ namespaces, resourceFilters: filters }, at) => {
      const wrong = namespaces.flatMap((pattern) => globProblem(pattern) ?? []);
      const empty = namespaces.length === 0 ? ['expected at least one namespace'] : [];
      return [...empty, ...wrong, ...namespacedProblems(filters)].map(
        (problem) => `namespacedFilterPolicies.${at}: ${problem}`,
      );
    }),
    ...twice.map((pattern) => `namespacedFilterPolicies: namespace "${pattern}" is named twice`),
  ];
}

function repeated(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups].filter(([, all]) => all.length > 1).map(([name]) => name);
}

function clusterProblems(filters: readonly ResourceFilter[]): string[] {
  const open = filters.some(isCatchAll) ? ['expected every filter to name kinds'] : [];
  return [...open, ...listProblems(filters)].map((problem) => `clusterScopedFilterPolicy: ${problem}`);
}

function namespacedProblems(filters: readonly ResourceFilter[]): string[] {
  const open = filters.filter(isCatchAll);
  const isNamed = open.some(({ names, excludedNames }) => names.length + excludedNames.length > 0);
  return [
    ...(open.length > 1 ? ['only one filter may be for all other kinds'] : []),
    ...(isNamed ? ['a filter for all other kinds cannot choose by names'] : []),
    ...listProblems(filters),
  ];
}

function listProblems(filters: readonly ResourceFilter[]): string[] {
  const kinds = filters.flatMap((filter) => filter.kinds.filter((kind) => kind !== '*'));
  const twice = repeated(kinds);
  return [
    ...(filters.length === 0 ? ['expected at least one of resourceFilters'] : []),
    ...twice.map((kind) => `kind "${kind}" is named twice`),
    ...filters.flatMap(selectionProblems),
  ];
}

function selectionProblems({ labelSelector, orLabelSelectors }: ResourceFilter): string[] {
  const hasOne = Object.values(labelSelector ?? {}).some((part) => Object.keys(part ?? {}).length > 0);
  return [
    ...(hasOne && orLabelSelectors.length > 0 ? ['labelSelector and orLabelSelectors cannot be used together'] : []),
    ...[...(labelSelector ? [labelSelector] : []), ...orLabelSelectors].flatMap(selectorProblems),
  ];
}
