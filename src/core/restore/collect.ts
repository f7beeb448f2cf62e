import type { Restore } from '../../api/index.ts';
import type { ItemKey } from '../progress/index.ts';
import type { ArchiveKey } from './actions/index.ts';
import { ALWAYS_READ, restoreFilters, type LeftOutReason, type RestoreFilters } from './filters.ts';
import { mapNamespace, type NamespaceMapping } from './namespace-mapping.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, NAMESPACES, tiersOf, type Priorities } from './priorities.ts';
import { Census } from './census.ts';
import type { FineFilter, ResourceNames, Unmatched } from '../selection/index.ts';

/** The structures of seed 004: what was collected of one type, by the namespace in the backup. */
export interface RestoreResource {
  resource: string;
  /** Cluster-scoped items are under the empty name. */
  itemsByNamespace: ReadonlyMap<string, readonly RestoreItem[]>;
  totalItems: number;
}

export interface RestoreItem {
  /** Empty for cluster-scoped items. */
  targetNamespace: string;
  /** As in the backup, even for a namespace, which is then mapped itself. */
  name: string;
}

/** Items of a type that the cluster does not serve. They count as skipped. */
export interface UnservedResource extends RestoreResource {
  hint: string;
}

export interface LeftOut {
  groupResource: string;
  namespace?: string;
  reason: LeftOutReason;
  names: string[];
}

export interface Collection {
  /** In the order they are restored; the types in one tier may be restored in parallel. */
  tiers: readonly (readonly RestoreResource[])[];
  unserved: readonly UnservedResource[];
  leftOut: readonly LeftOut[];
  /** Items of the tiers and of unserved types. */
  totalItems: number;
  /** Names in the spec that match nothing in the archive. */
  unmatched: readonly Unmatched[];
  /** Of all that the archive has, the spec leaves nothing. */
  isNothing: boolean;
}

/** What an item's content says. */
export interface ItemFacts {
  kind: string;
  labels: Readonly<Record<string, string>>;
}

export interface CollectInput {
  spec: Restore['spec'];
  /** Everything that the archive has. */
  entries: Iterable<ArchiveKey> | AsyncIterable<ArchiveKey>;
  /** Entries that cannot be read: they are there all the same. */
  broken?: Iterable<ArchiveKey>;
  /** What of it is to be looked at; all if absent. */
  isWanted?(key: ArchiveKey): boolean;
  /** Called only if the spec has selectors or names policies. */
  lookInto(key: ArchiveKey): Promise<ItemFacts>;
  /** What policies say about single kinds; they replace the selectors. */
  policies?: FineFilter;
  priorities: Priorities;
  names: ResourceNames;
  /** Whether the target cluster has the type now. */
  serves(groupResource: string): boolean;
}

/** Pass one of a restore: everything that will be restored, in order, and why the rest will not be. */
export async function collectRestore(input: CollectInput): Promise<Collection> {
  const filters = restoreFilters(input.spec, input.names);
  const chosen = new ItemTable(input.spec.namespaceMapping ?? {});
  const leftOut = new LeftOutTable();
  const archived = new Set<string>();
  const census = new Census(input.spec, input.names);
  for (const key of input.broken ?? []) census.see(key);
  const isLookedInto = filters.matchesLabels !== undefined || input.policies !== undefined;
  for await (const key of input.entries) {
    census.see(key);
    if (input.isWanted?.(key) === false) continue;
    if (key.groupResource === CUSTOM_RESOURCE_DEFINITIONS) archived.add(key.name);
    let reason = filters.leaveOut(key);
    // Awaiting costs more than all the rest, so it is done only with selectors.
    if (reason === undefined && isLookedInto && !ALWAYS_READ.includes(key.groupResource)) {
      const facts = await input.lookInto(key);
      // Policies take the place of the selectors.
      if (input.policies === undefined) census.seeLabels(facts.labels);
      reason = leaveOutByContent(key, facts, filters, input.policies);
    }
    reason ??= chosen.add(key);
    if (reason !== undefined) leftOut.add(key, reason);
  }
  chosen.addNeededNamespaces();
  const isComing = (resource: string): boolean => input.serves(resource) || chosen.hasDefinition(resource);
  const resources = chosen.resources();
  const served = new Map(resources.filter(({ resource }) => isComing(resource)).map((r) => [r.resource, r]));
  const tiers = tiersOf(served.keys(), input.priorities).map((tier) =>
    tier.map((resource) => served.get(resource)).filter((resource) => resource !== undefined),
  );
  const unserved = resources
    .filter(({ resource }) => !served.has(resource))
    .map((resource) => ({ ...resource, hint: hintFor(resource.resource, archived) }));
  const totalItems = resources.reduce((sum, resource) => sum + resource.totalItems, 0);
  const isNothing = resources.every(({ resource }) => ALWAYS_READ.includes(resource));
  return { tiers, unserved, leftOut: leftOut.rows(), totalItems, unmatched: census.unmatched(), isNothing };
}

/** Reasons that are only known once an item was read. */
function leaveOutByContent(
  { groupResource, namespace, name }: ArchiveKey,
  { kind, labels }: ItemFacts,
  { matchesLabels }: RestoreFilters,
  policies: FineFilter | undefined,
): LeftOutReason | undefined {
  const rule = policies?.ruleFor(namespace, groupResource, kind);
  if (rule === 'none') return 'policies';
  if (rule !== undefined) return rule.hasName(name) && rule.hasLabels(labels) ? undefined : 'policies';
  return matchesLabels === undefined || matchesLabels(labels) ? undefined : 'labels';
}

function hintFor(resource: string, archived: ReadonlySet<string>): string {
  return archived.has(resource)
    ? `its CustomResourceDefinition is in the backup, but this restore leaves it out; include ${CUSTOM_RESOURCE_DEFINITIONS}`
    : 'install what serves it in this cluster, or exclude the type';
}

/** Where an item of the archive goes. */
export function targetOf(key: ArchiveKey, mapping: NamespaceMapping): ItemKey {
  if (key.groupResource === NAMESPACES) return { groupResource: NAMESPACES, name: mapNamespace(key.name, mapping) };
  return key.namespace === undefined ? key : { ...key, namespace: mapNamespace(key.namespace, mapping) };
}

/** Grows to a million items, so it is filled in place. */
class ItemTable {
  readonly #mapping: NamespaceMapping;
  readonly #table = new Map<string, Map<string, RestoreItem[]>>();
  /** Only a mapping can bring two items of an archive to the same place, so only places in these are remembered. */
  readonly #mappedTo: ReadonlySet<string>;
  readonly #places = new Set<string>();
  /** Each of very many types may ask whether its definition is restored too. */
  readonly #definitions = new Set<string>();

  constructor(mapping: NamespaceMapping) {
    this.#mapping = mapping;
    this.#mappedTo = new Set(Object.values(mapping));
  }

  add(key: ArchiveKey): LeftOutReason | undefined {
    const { groupResource, namespace = '', name } = targetOf(key, this.#mapping);
    if (this.#mappedTo.has(groupResource === NAMESPACES ? name : namespace)) {
      const place = `${groupResource}/${namespace}/${name}`;
      if (this.#places.has(place)) return 'sameTarget';
      this.#places.add(place);
    }
    const byNamespace = getOrAdd(this.#table, key.groupResource, () => new Map<string, RestoreItem[]>());
    const items = getOrAdd(byNamespace, key.namespace ?? '', (): RestoreItem[] => []);
    items.push({ targetNamespace: namespace, name: key.name });
    if (groupResource === CUSTOM_RESOURCE_DEFINITIONS) this.#definitions.add(name);
    return undefined;
  }

  hasDefinition(name: string): boolean {
    return this.#definitions.has(name);
  }

  /** What is restored into a namespace needs it, whether or not the filters select it as an item. */
  addNeededNamespaces(): void {
    const needed = new Set<string>();
    for (const [groupResource, byNamespace] of this.#table) {
      if (!ALWAYS_READ.includes(groupResource)) for (const name of byNamespace.keys()) needed.add(name);
    }
    for (const { name } of this.#table.get(NAMESPACES)?.get('') ?? []) needed.delete(name);
    needed.delete('');
    for (const name of needed) this.add({ groupResource: NAMESPACES, name });
  }

  resources(): RestoreResource[] {
    return [...this.#table].map(([resource, itemsByNamespace]) => ({
      resource,
      itemsByNamespace,
      totalItems: [...itemsByNamespace.values()].reduce((sum, items) => sum + items.length, 0),
    }));
  }
}

class LeftOutTable {
  readonly #rows = new Map<string, LeftOut>();

  add({ groupResource, namespace, name }: ArchiveKey, reason: LeftOutReason): void {
    const row = getOrAdd(this.#rows, `${groupResource}/${namespace ?? ''}/${reason}`, () => ({
      groupResource,
      ...(namespace === undefined ? {} : { namespace }),
      reason,
      names: [],
    }));
    row.names.push(name);
  }

  rows(): LeftOut[] {
    return [...this.#rows.values()];
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
