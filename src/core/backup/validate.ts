import type { BackupSpec } from '../../api/index.ts';
import { isNamespaceName, parseGoDuration } from '../../base/index.ts';
import { usesOldFilters } from './type-filter.ts';
import { globProblem, hasFilters, type ParsedPolicies, selectorProblems, tooManyValues } from '../selection/index.ts';

export interface LocationFacts {
  name: string;
  isReadOnly: boolean;
  isAvailable: boolean;
}

export interface ValidationFacts {
  /** The location the spec names, after defaults; undefined if it does not exist. */
  location?: LocationFacts;
  /** Problems with the snapshot locations (`resolveSnapshotLocations`). */
  snapshotLocationProblems?: readonly string[];
  /** The parsed ConfigMap of spec.resourcePolicy; undefined without one. */
  policies?: ParsedPolicies;
}

const OLD = 'includedResources, excludedResources and includeClusterResources';
const NEW = 'included/excludedClusterScopedResources and included/excludedNamespaceScopedResources';

/** Every problem of a Backup at once, as listed in status.validationErrors. `spec` is the one with defaults. */
export function validateBackup(spec: BackupSpec, facts: ValidationFacts): string[] {
  const tooMany = tooManyValues(spec);
  if (tooMany !== undefined) return [`spec: ${tooMany}`];
  return [
    ...ttlProblems(spec),
    ...locationProblems(spec, facts.location),
    ...(facts.snapshotLocationProblems ?? []),
    ...filterProblems(spec),
    ...namespaceProblems(spec),
    ...labelProblems(spec),
    ...policyProblems(spec, facts.policies),
  ];
}

/** Velero accepts it, and deletes the backup as soon as it exists. */
function ttlProblems({ ttl }: BackupSpec): string[] {
  if (ttl === undefined || (parseGoDuration(ttl) ?? 0) >= 0) return [];
  return [`ttl: expected how long to keep the backup, such as 720h0m0s, got "${ttl}"`];
}

function locationProblems(spec: BackupSpec, location: LocationFacts | undefined): string[] {
  if (location === undefined) {
    return [`backup storage location "${spec.storageLocation ?? ''}" does not exist; create it or name another`];
  }
  return [
    ...(location.isReadOnly ? [`backup storage location "${location.name}" is read-only`] : []),
    ...(location.isAvailable ? [] : [`backup storage location "${location.name}" is not available`]),
  ];
}

function filterProblems(spec: BackupSpec): string[] {
  const isNew = [
    spec.includedClusterScopedResources,
    spec.excludedClusterScopedResources,
    spec.includedNamespaceScopedResources,
    spec.excludedNamespaceScopedResources,
  ].some((list) => (list ?? []).length > 0);
  if (!usesOldFilters(spec)) {
    return [
      ...scopedListProblems('cluster-scoped', spec.includedClusterScopedResources, spec.excludedClusterScopedResources),
      ...scopedListProblems(
        'namespace-scoped',
        spec.includedNamespaceScopedResources,
        spec.excludedNamespaceScopedResources,
      ),
    ];
  }
  const lists = listProblems(spec.includedResources, spec.excludedResources);
  return [
    ...(isNew ? [`${OLD} are old filters, ${NEW} are new ones; they cannot be used together`] : []),
    ...lists.map((problem) => `Invalid included/excluded resource lists: ${problem}`),
  ];
}

type List = readonly string[] | undefined;

function listProblems(includes: List = [], excludes: List = []): string[] {
  return [
    ...(new Set(includes).size > 1 && includes.includes('*') ? ["includes with '*' must have nothing else"] : []),
    ...(excludes.includes('*') ? ["excludes cannot have '*'"] : []),
    ...inBoth(includes, excludes),
  ];
}

function scopedListProblems(scope: string, includes: List = [], excludes: List = []): string[] {
  const problems = [
    ...(new Set(includes).size > 1 && includes.includes('*') ? ["includes with '*' must have nothing else"] : []),
    ...(new Set(excludes).size > 1 && excludes.includes('*') ? ["excludes with '*' must have nothing else"] : []),
    ...(includes.length > 0 && excludes.includes('*') ? ["with '*' in excludes nothing can be included"] : []),
    ...inBoth(includes, excludes),
  ];
  return problems.map((problem) => `Invalid ${scope} included/excluded resource lists: ${problem}`);
}

function inBoth(includes: readonly string[], excludes: readonly string[]): string[] {
  const both = new Set(excludes).intersection(new Set(includes));
  return Array.from(both, (name) => `"${name}" is both included and excluded`);
}

function namespaceProblems({ includedNamespaces, excludedNamespaces }: BackupSpec): string[] {
  const names = new Set([...(includedNamespaces ?? []), ...(excludedNamespaces ?? [])]);
  const problems = [...listProblems(includedNamespaces, excludedNamespaces), ...[...names].flatMap(namespaceProblem)];
  return problems.map((problem) => `Invalid included/excluded namespace lists: ${problem}`);
}

function namespaceProblem(name: string): string[] {
  // Velero reads an empty string as "no namespace".
  if (name === '' || name === '*') return [];
  const problem = globProblem(name);
  if (problem !== undefined) return [problem];
  // For the rules about names, a wildcard counts as a letter.
  const plain = name.replace(/[*?[\]]/g, 'x');
  if (isNamespaceName(plain)) return [];
  return [`"${name}" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -`];
}

function labelProblems({ labelSelector, orLabelSelectors, hooks }: BackupSpec): string[] {
  const selectors = [...(labelSelector ? [labelSelector] : []), ...(orLabelSelectors ?? [])];
  const ofHooks = (hooks?.resources ?? []).flatMap(({ name, labelSelector: selector }) =>
    selector === undefined ? [] : selectorProblems(selector).map((problem) => `hook "${name}": ${problem}`),
  );
  const both = labelSelector !== undefined && orLabelSelectors !== undefined;
  return [
    ...(both ? ['labelSelector and orLabelSelectors cannot be used together'] : []),
    ...selectors.flatMap(selectorProblems),
    ...ofHooks,
  ];
}

function policyProblems(spec: BackupSpec, policies: ParsedPolicies | undefined): string[] {
  if (spec.resourcePolicy !== undefined && spec.resourcePolicy.kind.toLowerCase() !== 'configmap') {
    return [`invalid resource policies: expected a reference to a ConfigMap, got ${spec.resourcePolicy.kind}`];
  }
  if (policies === undefined) return [];
  const mixed = policies.policies !== undefined && hasFilters(policies.policies) && usesOldFilters(spec);
  return [
    ...policies.problems.map((problem) => `invalid resource policies: ${problem}`),
    ...(mixed ? [`${OLD} are old filters; they cannot be used with the filters of resource policies`] : []),
  ];
}
