import {
  Backup,
  type BackupSpec,
  BackupStorageLocation,
  NAMESPACE,
  VolumeSnapshotLocation,
} from '../../../api/index.ts';
import { isAppError, labelValue, textAt } from '../../../base/index.ts';
import {
  EXCLUDE_LABEL,
  resolveSnapshotLocations,
  validateBackup,
  withDefaults,
  type BackupDefaults,
} from '../../../core/backup/index.ts';
import type { Kube, KubeClient, KubeObject, Target } from '../../../edge/kube/index.ts';
import { backupKeys, nameProblem } from '../../../edge/store/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { readPolicies } from './policies.ts';
import type { ResourcePolicies } from '../../../core/selection/index.ts';

export interface PrepareOptions {
  namespace: string;
  defaults: BackupDefaults;
  signal: AbortSignal;
}

/** A backup with all defaults filled in, and everything that is wrong with it. */
export interface Prepared {
  spec: BackupSpec;
  policies: ResourcePolicies | undefined;
  problems: string[];
}

const AT_HAND = { resourceVersion: '0' };

/**
 * Reads from the API server's cache, which may be some milliseconds old. The newest version is read only before
 * something is refused or left out because of it: Kubernetes makes the next reader of the newest version wait up to 100
 * ms, and that would be the backup itself.
 */
export async function prepareBackup(kube: Kube, backup: KubeObject, options: PrepareOptions): Promise<Prepared> {
  const read = readSpec(backup);
  if ('problems' in read) return { spec: {}, policies: undefined, problems: read.problems };
  const given = { name: backup.metadata.name, spec: read.spec };
  const { isHarmless, prepared } = await prepareSpec(kube, given, options, AT_HAND);
  return isHarmless ? prepared : (await prepareSpec(kube, given, options, {})).prepared;
}

async function prepareSpec(
  kube: Kube,
  { name, spec: given }: { name: string; spec: BackupSpec },
  { namespace, defaults, signal }: PrepareOptions,
  as: { resourceVersion?: string },
): Promise<{ prepared: Prepared; isHarmless: boolean }> {
  const all = (target: Target, labelSelector?: string): Promise<KubeObject[]> =>
    listAll(kube, target, { ...as, signal, deadlineMs: CALL_DEADLINE_MS, ...(labelSelector ? { labelSelector } : {}) });
  const [locations, snapshotLocations, labelled, policies] = await Promise.all([
    all({ type: BackupStorageLocation, namespace }),
    all({ type: VolumeSnapshotLocation, namespace }),
    all({ type: NAMESPACE }, `${EXCLUDE_LABEL}=true`),
    readPolicies(kube, namespace, given.resourcePolicy, signal),
  ]);
  const defaultLocation = defaultOf(locations);
  const filled = withDefaults(
    given,
    {
      labelledNamespaces: labelled.map(({ metadata }) => metadata.name),
      ...(defaultLocation === undefined ? {} : { defaultLocation }),
    },
    defaults,
  );
  const snapshots = resolveSnapshotLocations(filled, snapshotLocations.map(providerOf), {});
  const spec = snapshots.names.length === 0 ? filled : { ...filled, volumeSnapshotLocations: snapshots.names };
  const location = locations.find(({ metadata }) => metadata.name === spec.storageLocation);
  const tooLong = nameProblem(textAt(location, 'spec', 'provider') ?? '', backupKeys(name));
  const invalid = validateBackup(spec, {
    snapshotLocationProblems: snapshots.problems,
    ...(policies === undefined ? {} : { policies }),
    ...(location === undefined ? {} : { location: factsOf(location) }),
  });
  const problems = [...invalid, ...(tooLong === undefined ? [] : [tooLong])];
  const isHarmless = problems.length === 0 && labelled.length === 0;
  return { prepared: { spec, policies: policies?.policies, problems }, isHarmless };
}

/** What Velero records on a backup in addition to its spec. */
export async function metadataOf(
  kube: KubeClient,
  spec: BackupSpec,
  signal: AbortSignal,
): Promise<{ labels?: Record<string, string>; annotations: Record<string, string> }> {
  const version = await kube.version({ signal, deadlineMs: CALL_DEADLINE_MS });
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    ...(spec.storageLocation && { labels: { 'velero.io/storage-location': labelValue(spec.storageLocation) } }),
    annotations: {
      'velero.io/source-cluster-k8s-gitversion': version,
      'velero.io/source-cluster-k8s-major-version': major,
      'velero.io/source-cluster-k8s-minor-version': minor,
      'velero.io/resource-timeout': '10m0s',
    },
  };
}

function readSpec(backup: KubeObject): { spec: BackupSpec } | { problems: string[] } {
  try {
    return { spec: Backup.parse(backup).value.spec };
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    const { problems } = (error.details ?? {}) as { problems?: string[] };
    return { problems: problems ?? [error.message] };
  }
}

export async function listAll(
  kube: Kube,
  target: Target,
  options: { signal: AbortSignal; deadlineMs: number; labelSelector?: string; resourceVersion?: string },
): Promise<KubeObject[]> {
  let items: KubeObject[] = [];
  for await (const page of kube.list(target, options)) items = [...(page.restarted ? [] : items), ...page.items];
  return items;
}

/** If several say that they are the default, the newest one, as in Velero. */
function defaultOf(locations: readonly KubeObject[]): string | undefined {
  const defaults = locations.filter((location) => (location['spec'] as { default?: boolean } | undefined)?.default);
  const byAge = defaults.toSorted((a, b) => ageOf(a).localeCompare(ageOf(b)));
  return byAge.at(-1)?.metadata.name;
}

function ageOf(object: KubeObject): string {
  return textAt(object, 'metadata', 'creationTimestamp') ?? '';
}

function providerOf(location: KubeObject): { name: string; provider: string } {
  return { name: location.metadata.name, provider: textAt(location, 'spec', 'provider') ?? '' };
}

/** A location that nobody has checked yet is tried; only one known to be unavailable is refused. */
function factsOf(location: KubeObject): { name: string; isReadOnly: boolean; isAvailable: boolean } {
  return {
    name: location.metadata.name,
    isReadOnly: textAt(location, 'spec', 'accessMode') === 'ReadOnly',
    isAvailable: textAt(location, 'status', 'phase') !== 'Unavailable',
  };
}
