import type { ResourceType } from '../../api/index.ts';

/** One kind as the cluster announces it. */
export interface DiscoveredType extends ResourceType {
  /** True when this is the version the server prefers for the group. */
  preferred: boolean;
  singular: string;
  shortNames: readonly string[];
  verbs: readonly string[];
}

/** As used in archive paths and filters: `pods`, `deployments.apps`. */
export function groupResourceOf({ plural, group }: Pick<ResourceType, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** One type per group and resource: in the preferred version that serves it, else in the server's first. */
export function preferredTypes(types: readonly DiscoveredType[]): DiscoveredType[] {
  const best = new Map<string, DiscoveredType>();
  for (const type of types) {
    const name = groupResourceOf(type);
    const known = best.get(name);
    if (known === undefined || (type.preferred && !known.preferred)) best.set(name, type);
  }
  return [...best.values()];
}

export interface ResourceNames {
  /** The group-resource that a name means; undefined when the cluster has none. */
  resolve(name: string): string | undefined;
}

/**
 * Finds types by plural, singular, kind or short name, with or without a group, which may be cut short at a dot
 * (`ingresses.networking`). If several groups match, the server's first is used, as in kubectl and Velero.
 */
export function resourceNames(types: readonly DiscoveredType[]): ResourceNames {
  const byName = Map.groupBy(types.flatMap(namesOf), ([name]) => name);
  const byShortName = Map.groupBy(types.flatMap(shortNamesOf), ([name]) => name);
  const resolve = (name: string): string | undefined => {
    const [resource = '', ...rest] = name.toLowerCase().split('.');
    const group = rest.join('.');
    const named = [...(byName.get(resource) ?? []), ...(byShortName.get(resource) ?? [])].map(([, type]) => type);
    const found =
      group === ''
        ? named[0]
        : (named.find((type) => type.group === group) ?? named.find((type) => type.group.startsWith(`${group}.`)));
    return found === undefined ? undefined : groupResourceOf(found);
  };
  return { resolve };
}

type Named = [name: string, type: DiscoveredType];

function namesOf(type: DiscoveredType): Named[] {
  const names = new Set([type.plural, type.singular, type.kind.toLowerCase()]);
  return [...names].filter((name) => name !== '').map((name) => [name, type]);
}

function shortNamesOf(type: DiscoveredType): Named[] {
  return type.shortNames.map((name) => [name, type]);
}
