import { AppError } from '../../base/index.ts';

/** Group-resources in the order they are restored: `first` and `last` one by one, everything else in between. */
export interface Priorities {
  first: readonly string[];
  last: readonly string[];
}

export const CUSTOM_RESOURCE_DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
export const NAMESPACES = 'namespaces';

export const DEFAULT_PRIORITIES: Priorities = {
  first: [
    CUSTOM_RESOURCE_DEFINITIONS,
    NAMESPACES,
    'storageclasses.storage.k8s.io',
    'volumesnapshotclasses.snapshot.storage.k8s.io',
    'volumesnapshotcontents.snapshot.storage.k8s.io',
    'volumesnapshots.snapshot.storage.k8s.io',
    'datauploads.velero.io',
    'persistentvolumes',
    'persistentvolumeclaims',
    'clusterroles.rbac.authorization.k8s.io',
    'roles.rbac.authorization.k8s.io',
    'serviceaccounts',
    'clusterrolebindings.rbac.authorization.k8s.io',
    'rolebindings.rbac.authorization.k8s.io',
    'secrets',
    'configmaps',
    'limitranges',
    'priorityclasses.scheduling.k8s.io',
    // Before their owners, so that a controller adopts the restored ones instead of creating its own.
    'pods',
    'replicasets.apps',
    'clusterclasses.cluster.x-k8s.io',
    'endpoints',
    'services',
  ],
  last: [
    'clusterbootstraps.run.tanzu.vmware.com',
    'clusters.cluster.x-k8s.io',
    'clusterresourcesets.addons.cluster.x-k8s.io',
    'apps.kappctrl.k14s.io',
    'packageinstalls.packaging.carvel.dev',
  ],
};

const SEPARATOR = '-';

/**
 * Parses `a,b,-,z`: before the dash what comes first, after it what comes last. `resolve` knows the cluster's name for
 * any name of a type; an unknown name is taken as it is.
 */
export function parsePriorities(text: string, resolve: (name: string) => string | undefined): Priorities {
  const names = text.split(',').map((name) => name.trim());
  const wrong = (what: string): AppError =>
    new AppError('invalidConfig', `cannot read restore resource priorities "${text}": ${what}`);
  if (text.trim() === '') return { first: [], last: [] };
  if (names.includes('')) throw wrong('expected names separated by commas, got an empty one');
  const [first = [], last = [], ...more] = split(names);
  if (more.length > 0) throw wrong('expected at most one "-"');
  const resolved = names.filter((name) => name !== SEPARATOR).map((name) => resolve(name) ?? name);
  const twice = resolved.find((name, index) => resolved.indexOf(name) !== index);
  if (twice !== undefined) throw wrong(`${twice} is listed twice`);
  return { first: resolved.slice(0, first.length), last: resolved.slice(resolved.length - last.length) };
}

function split(names: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const name of names) {
    if (name === SEPARATOR) parts.push([]);
    else parts.at(-1)?.push(name);
  }
  return parts;
}

/**
 * The present types as tiers: one per entry of the priorities, and one for all unlisted types, in alphabetical order.
 * The types in a tier may be restored in parallel.
 */
export function tiersOf(present: Iterable<string>, priorities: Priorities): string[][] {
  const left = new Set(present);
  const take = (names: readonly string[]): string[][] =>
    names.filter((name) => left.delete(name)).map((name) => [name]);
  const first = take(priorities.first);
  const last = take(priorities.last);
  const middle = [...left].sort();
  return [...first, ...(middle.length > 0 ? [middle] : []), ...last];
}
