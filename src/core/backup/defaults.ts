import { parseGoDuration } from '../../base/index.ts';
import type { BackupSpec } from '../../api/index.ts';
import { ALWAYS_EXCLUDED_CLUSTER, ALWAYS_EXCLUDED_NAMESPACED, usesOldFilters } from './type-filter.ts';

/** The server's defaults for what a Backup leaves out; durations in Go's format. */
export interface BackupDefaults {
  ttl: string;
  csiSnapshotTimeout: string;
  itemOperationTimeout: string;
  volumeGroupSnapshotLabelKey: string;
  defaultVolumesToFsBackup: boolean;
  snapshotMoveData: boolean;
  storageLocation: string;
}

export const VELERO_DEFAULTS: Readonly<BackupDefaults> = {
  ttl: '720h0m0s',
  csiSnapshotTimeout: '10m0s',
  itemOperationTimeout: '4h0m0s',
  volumeGroupSnapshotLabelKey: 'velero.io/volume-group',
  defaultVolumesToFsBackup: false,
  snapshotMoveData: false,
  storageLocation: 'default',
};

export interface DefaultFacts {
  /** The location that is marked as the default. */
  defaultLocation?: string;
  /** Namespaces with the label exclude-from-backup. */
  labelledNamespaces: readonly string[];
}

/** The spec that is written back to the Backup, so that everybody can see the rules it ran by. */
export function withDefaults(spec: BackupSpec, facts: DefaultFacts, defaults: BackupDefaults): BackupSpec {
  const { labelledNamespaces, defaultLocation } = facts;
  const included = spec.includedNamespaces ?? [];
  const excluded = union(spec.excludedNamespaces, labelledNamespaces);
  const fsBackup = spec.defaultVolumesToRestic === true ? true : spec.defaultVolumesToFsBackup;
  return {
    ...spec,
    ...autoExcluded(spec),
    includedNamespaces: included.length === 0 ? ['*'] : included,
    ...(excluded.length === 0 ? {} : { excludedNamespaces: excluded }),
    ttl: unlessZero(spec.ttl, defaults.ttl),
    csiSnapshotTimeout: unlessZero(spec.csiSnapshotTimeout, defaults.csiSnapshotTimeout),
    itemOperationTimeout: unlessZero(spec.itemOperationTimeout, defaults.itemOperationTimeout),
    volumeGroupSnapshotLabelKey: spec.volumeGroupSnapshotLabelKey || defaults.volumeGroupSnapshotLabelKey,
    defaultVolumesToFsBackup: fsBackup ?? defaults.defaultVolumesToFsBackup,
    snapshotMoveData: spec.snapshotMoveData ?? defaults.snapshotMoveData,
    storageLocation: spec.storageLocation || (defaultLocation ?? defaults.storageLocation),
  };
}

/** RFC 3339 in whole seconds, as Kubernetes writes times. */
export function expirationOf(nowMs: number, spec: BackupSpec, defaults: BackupDefaults): string {
  const own = parseGoDuration(spec.ttl ?? '') ?? 0;
  // A backup refused for its ttl must still be visible.
  const ttlMs = own > 0 ? own : (parseGoDuration(defaults.ttl) ?? 0);
  return `${new Date(nowMs + ttlMs).toISOString().slice(0, 19)}Z`;
}

/** The stock CLI sends a zero duration for a flag that its user did not set. */
export function unlessZero(duration: string | undefined, otherwise: string): string {
  return duration === undefined || parseGoDuration(duration) === 0 ? otherwise : duration;
}

function union(a: readonly string[] | undefined, b: readonly string[]): string[] {
  return [...new Set([...(a ?? []), ...b])];
}

/** The server's exclude wins over the user's include, as in Velero. */
function autoExcluded(spec: BackupSpec): Partial<BackupSpec> {
  const both = [ALWAYS_EXCLUDED_NAMESPACED, ALWAYS_EXCLUDED_CLUSTER];
  if (usesOldFilters(spec)) {
    return {
      ...(spec.includedResources && { includedResources: minus(spec.includedResources, both) }),
      excludedResources: union(spec.excludedResources, both),
    };
  }
  const { includedClusterScopedResources: cluster, includedNamespaceScopedResources: namespaced } = spec;
  return {
    ...(cluster && { includedClusterScopedResources: minus(cluster, both) }),
    ...(namespaced && { includedNamespaceScopedResources: minus(namespaced, both) }),
    ...excludeUnlessAll('excludedClusterScopedResources', spec, ALWAYS_EXCLUDED_CLUSTER),
    ...excludeUnlessAll('excludedNamespaceScopedResources', spec, ALWAYS_EXCLUDED_NAMESPACED),
  };
}

type ScopedExcludes = 'excludedClusterScopedResources' | 'excludedNamespaceScopedResources';

/** `*` must be the only entry, also when the spec is validated again after a restart. */
function excludeUnlessAll(field: ScopedExcludes, spec: BackupSpec, name: string): Partial<BackupSpec> {
  const given = spec[field] ?? [];
  return given.includes('*') ? {} : { [field]: union(given, [name]) };
}

function minus(names: readonly string[], taken: readonly string[]): string[] {
  return names.filter((name) => !taken.includes(name));
}
