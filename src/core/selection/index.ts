/**
 * How items are selected, shared by backups, restores and migrations: names, globs, label selectors, resource policies,
 * and the results that report what was found. It must never do I/O, nor know one kind of operation.
 */
export {
  groupResourceOf,
  preferredTypes,
  resourceNames,
  type DiscoveredType,
  type ResourceNames,
} from './discovered-type.ts';
export { listProblems, nameFilter, type NameFilter } from './name-filter.ts';
export { overlap, selectNamespaces, type NamespaceSelection } from './namespaces.ts';
export { anyGlobMatcher, globProblem, isGlob } from './glob.ts';
export { formatSelector, matchesSelector, selectorProblems } from './label-selector.ts';
export {
  actionForVolume,
  hasFilters,
  parseResourcePolicies,
  problemsForRestore,
  type IncludeExcludePolicy,
  type ParsedPolicies,
  type ResourcePolicies,
  type VolumeAction,
} from './resource-policies.ts';
export { hasMoreValues, tooManyValues } from './values.ts';
export { fineFilter, type FineFilter } from './fine-filter.ts';
export { hasFilterPolicies, type FilterPolicies } from './filter-policies.ts';
export { volumeFacts, type VolumeFacts } from './volume-facts.ts';
export { SelectorUse, unmatchedNames, unmatchedText, type Unmatched } from './unmatched.ts';
export { resourceList, resultsOf, type ResultMessage, type ResourceList, type Results } from './results.ts';
