import type { JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { compareVersions, type Resource } from '../registry/index.ts';

/** All resources in one document; `isCore` picks `/api`, otherwise `/apis`. */
export function aggregated(resources: readonly Resource[], isCore: boolean, version: string): JsonObject {
  const groups = groupsOf(resources).filter(({ group }) => (group === '') === isCore);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === '' ? { creationTimestamp: null } : { name: group, creationTimestamp: null },
      versions: versions.map(({ name, resources: inVersion }) => ({
        version: name,
        freshness: 'Current',
        resources: inVersion.map(aggregatedResource),
      })),
    })),
  };
}

function aggregatedResource(resource: Resource): JsonObject {
  const subresources = resource.subresources.map((sub) => ({
    subresource: sub.name,
    responseKind: sub.kind === undefined ? kindOf(resource) : { ...sub.kind },
    verbs: [...sub.verbs],
  }));
  return {
    resource: resource.plural,
    responseKind: kindOf(resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length === 0 ? {} : { shortNames: [...resource.shortNames] }),
    ...(resource.categories.length === 0 ? {} : { categories: [...resource.categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** Built-in kinds leave out what the document says around them, as with the real server. */
function kindOf({ group, version, kind, custom }: Resource): JsonObject {
  return custom === undefined ? { group: '', version: '', kind } : { group, version, kind };
}

/** `/api` without aggregation. */
export function coreVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis` without aggregation. */
export function groupList(resources: readonly Resource[]): JsonObject {
  const groups = groupsOf(resources).filter(({ group }) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `/apis/<group>`, or undefined when there is no such group. */
export function groupDocument(resources: readonly Resource[], group: string): JsonObject | undefined {
  const found = groupsOf(resources).find((one) => one.group === group && group !== '');
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) };
}

function groupEntry({ group, versions }: Group): JsonObject {
  const entries = versions.map(({ name }) => ({ groupVersion: `${group}/${name}`, version: name }));
  return { name: group, versions: entries, preferredVersion: entries[0] ?? {} };
}

/** `/api/v1` and `/apis/<group>/<version>`, or undefined when nothing is served there. */
export function resourceList(
  resources: readonly Resource[],
  at: { group: string; version: string },
): JsonObject | undefined {
  const inVersion = resources.filter(({ group, version }) => group === at.group && version === at.version);
  if (inVersion.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(at),
    resources: inVersion.flatMap(plainResource),
  };
}

function plainResource(resource: Resource): JsonObject[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  const main: JsonObject = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
  const parts = resource.subresources.map((sub) => ({
    name: `${plural}/${sub.name}`,
    singularName: '',
    namespaced,
    // Kinds of the core group are said without group and version.
    ...(sub.kind === undefined || sub.kind.group === '' ? { kind: sub.kind?.kind ?? kind } : { ...sub.kind }),
    verbs: [...sub.verbs],
  }));
  return [main, ...parts];
}

interface Group {
  group: string;
  versions: { name: string; resources: Resource[] }[];
}

function groupsOf(resources: readonly Resource[]): Group[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  for (const resource of resources) {
    const versions = groups.get(resource.group) ?? new Map<string, Resource[]>();
    groups.set(resource.group, versions);
    versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]);
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions]
      .sort(([a], [b]) => compareVersions(a, b))
      .map(([name, inVersion]) => ({ name, resources: inVersion })),
  }));
}
