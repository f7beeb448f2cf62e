import { z } from 'zod';
import {
  ClusterScopedFilterPolicy,
  filterPolicyProblems,
  hasFilterPolicies,
  NamespacedFilterPolicy,
} from './filter-policies.ts';
import { parseQuantity } from './quantity.ts';
import { tooManyValues } from './values.ts';
import type { VolumeFacts } from './volume-facts.ts';

const names = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);
const textMap = z.record(z.string(), z.string());

/** `10Gi,100Gi`; an omitted end is open. */
const capacity = z.string().transform((text, context) => {
  const ends = text.split(',').map((end) => (end.trim() === '' ? 0 : parseQuantity(end.trim())));
  const [lower, upper] = ends;
  if (ends.length !== 2 || lower === undefined || upper === undefined || (upper !== 0 && upper < lower)) {
    context.addIssue({ code: 'custom', message: `expected a range such as "10Gi,100Gi", got "${text}"` });
    return z.NEVER;
  }
  return { lower, upper };
});

const Conditions = z.strictObject({
  capacity: capacity.optional(),
  storageClass: names,
  nfs: z.strictObject({ server: z.string().optional(), path: z.string().optional() }).nullish(),
  csi: z.strictObject({ driver: z.string().optional(), volumeAttributes: textMap.optional() }).nullish(),
  volumeTypes: names,
  pvcLabels: textMap.optional(),
  pvcPhase: names,
  pvcVolumeMode: z.string().optional(),
  pvcAccessModes: names,
});
type Conditions = z.output<typeof Conditions>;

const Action = z.strictObject({
  type: z.enum(['skip', 'fs-backup', 'snapshot', 'custom']),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
export type VolumeAction = z.output<typeof Action>;

const IncludeExcludePolicy = z.strictObject({
  includedClusterScopedResources: names,
  excludedClusterScopedResources: names,
  includedNamespaceScopedResources: names,
  excludedNamespaceScopedResources: names,
});
export type IncludeExcludePolicy = z.output<typeof IncludeExcludePolicy>;

const ResourcePolicies = z.strictObject({
  version: z.literal('v1', 'expected v1'),
  volumePolicies: z
    .array(z.strictObject({ conditions: Conditions, action: Action }))
    .nullish()
    .transform((list) => list ?? []),
  includeExcludePolicy: IncludeExcludePolicy.nullish().transform((policy) => policy ?? undefined),
  clusterScopedFilterPolicy: ClusterScopedFilterPolicy.nullish().transform((policy) => policy ?? undefined),
  namespacedFilterPolicies: z
    .array(NamespacedFilterPolicy)
    .nullish()
    .transform((list) => list ?? []),
});
export type ResourcePolicies = z.output<typeof ResourcePolicies>;

export interface ParsedPolicies {
  /** Absent when there are problems. */
  policies?: ResourcePolicies;
  problems: readonly string[];
}

/** Reads a policy document; an unknown field is a problem, because a rule that is not understood cannot be followed. */
export function parseResourcePolicies(document: unknown): ParsedPolicies {
  const tooMany = tooManyValues(document);
  if (tooMany !== undefined) return { problems: [`the document: ${tooMany}`] };
  const { success, data, error } = ResourcePolicies.safeParse(document);
  const problems = success
    ? policyProblems(data)
    : error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
  return problems.length > 0 || data === undefined ? { problems } : { policies: data, problems };
}

/** A restore does not choose methods for volumes, and has its own filters for whole types. */
export function problemsForRestore(policies: ResourcePolicies): string[] {
  return [
    ...(policies.volumePolicies.length > 0 ? ['volumePolicies are not for restores'] : []),
    ...(policies.includeExcludePolicy === undefined ? [] : ['includeExcludePolicy is not for restores']),
  ];
}

/** Whether it contains filters, which cannot be combined with the old filters in the spec. */
export function hasFilters(policies: ResourcePolicies): boolean {
  return policies.includeExcludePolicy !== undefined || hasFilterPolicies(policies);
}

function policyProblems(policies: ResourcePolicies): string[] {
  const { volumePolicies, includeExcludePolicy: filter } = policies;
  const fine = filterPolicyProblems(policies);
  const csi = volumePolicies.flatMap(({ conditions }, at) =>
    conditions.csi?.volumeAttributes !== undefined && !conditions.csi.driver
      ? [`volumePolicies.${at}.conditions.csi: volumeAttributes need a driver`]
      : [],
  );
  if (filter === undefined) return [...csi, ...fine];
  const pairs = [
    [filter.includedClusterScopedResources, filter.excludedClusterScopedResources],
    [filter.includedNamespaceScopedResources, filter.excludedNamespaceScopedResources],
  ] as const;
  return [...csi, ...fine, ...pairs.flatMap(([included, excluded]) => pairProblems(included, excluded))];
}

function pairProblems(included: readonly string[], excluded: readonly string[]): string[] {
  const hasAll = [...included, ...excluded].includes('*');
  const isIncluded = new Set(included);
  const both = excluded.filter((name) => isIncluded.has(name));
  return [
    ...(hasAll ? ["includeExcludePolicy: '*' cannot be used"] : []),
    ...both.map((name) => `includeExcludePolicy: "${name}" is both included and excluded`),
  ];
}

/** What to do with a volume: the action of the first policy whose conditions all hold. */
export function actionForVolume(policies: ResourcePolicies, volume: VolumeFacts): VolumeAction | undefined {
  return policies.volumePolicies.find(({ conditions }) => holds(conditions, volume))?.action;
}

function holds(conditions: Conditions, volume: VolumeFacts): boolean {
  return (
    inRange(conditions.capacity, volume.capacityBytes) &&
    isAmong(conditions.storageClass, volume.storageClass) &&
    isAmong(conditions.volumeTypes, volume.type) &&
    nfsHolds(conditions.nfs, volume.nfs) &&
    csiHolds(conditions.csi, volume.csi) &&
    claimHolds(conditions, volume.claim)
  );
}

function isAmong(allowed: readonly string[], value: string | undefined): boolean {
  return allowed.length === 0 || (value !== undefined && allowed.includes(value));
}

function inRange(range: Conditions['capacity'], bytes: number): boolean {
  return range === undefined || (bytes >= range.lower && (range.upper === 0 || bytes <= range.upper));
}

function nfsHolds(wanted: Conditions['nfs'], nfs: VolumeFacts['nfs']): boolean {
  if (!wanted) return true;
  return (
    nfs !== undefined && (!wanted.server || wanted.server === nfs.server) && (!wanted.path || wanted.path === nfs.path)
  );
}

function csiHolds(wanted: Conditions['csi'], csi: VolumeFacts['csi']): boolean {
  if (!wanted) return true;
  if (csi === undefined || (wanted.driver && wanted.driver !== csi.driver)) return false;
  return Object.entries(wanted.volumeAttributes ?? {}).every(([key, value]) => csi.volumeAttributes[key] === value);
}

function claimHolds(conditions: Conditions, claim: VolumeFacts['claim']): boolean {
  const { pvcLabels = {}, pvcPhase, pvcVolumeMode, pvcAccessModes } = conditions;
  const modes = claim?.accessModes ?? [];
  return (
    Object.entries(pvcLabels).every(([key, value]) => claim?.labels[key] === value) &&
    isAmong(pvcPhase, claim?.phase) &&
    (!pvcVolumeMode || claim?.volumeMode === pvcVolumeMode) &&
    (pvcAccessModes.length === 0 ||
      (modes.length === pvcAccessModes.length && modes.every((mode) => pvcAccessModes.includes(mode))))
  );
}
