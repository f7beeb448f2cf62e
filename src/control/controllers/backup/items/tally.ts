import { apiVersionOf } from '../../../../api/index.ts';
import type { JsonObject } from '../../../../base/index.ts';
import { estimate, exact, UNKNOWN, type ItemKey, type Total } from '../../../../core/progress/index.ts';
import type { Page } from '../../../../edge/kube/index.ts';
import type { Query } from './query.ts';
import type { DiscoveredType, ResourceList } from '../../../../core/selection/index.ts';

interface KindTally {
  type: DiscoveredType;
  /** What its lists will still give. */
  open: Map<Query, Rest>;
  /** Given by a list already, and waiting for their turn. */
  postponed: number;
  archived: number;
  failed: number;
  /** Of what is archived, as the collector has them anyway. */
  ids: string[];
}

interface Rest {
  /** Undefined if nobody knows. */
  items: number | undefined;
  /** The namespace that the list has come to, if only some are wanted, and what part of the rest they may be. */
  at?: string;
  share: number;
}

interface Counted {
  key: ItemKey;
  type: DiscoveredType;
}

interface Settled extends Counted {
  id: string;
  isRefused: boolean;
}

const MAX_KINDS = 50;

/** Counts a backup by kind: what is archived, what failed, and what is still to come. */
export class Tally {
  readonly #kinds = new Map<string, KindTally>();
  /** Items that others need and no list has given yet. */
  #needed = 0;
  /** Items that could not even be read. */
  #unread = 0;
  #isComplete = false;
  #archived = 0;

  constructor(queries: readonly Query[]) {
    for (const query of queries) {
      const rest = { items: query.expected, share: query.wanted?.whole ?? 1 };
      this.#kind(query.list.type, query.list.groupResource).open.set(query, rest);
    }
  }

  /** It comes later than its list. */
  postponed({ key, type }: Counted, query: Query | undefined): void {
    this.#kind(type, key.groupResource).postponed += 1;
    if (query === undefined) this.#needed -= 1;
    else this.#less(query, key.namespace);
  }

  settled({ key, id, type, isRefused }: Settled, query: Query | 'postponed' | undefined): void {
    const kind = this.#kind(type, key.groupResource);
    if (isRefused) kind.failed += 1;
    else {
      kind.archived += 1;
      this.#archived += 1;
      kind.ids.push(id);
    }
    if (query === 'postponed') kind.postponed -= 1;
    else if (query === undefined) this.#needed -= 1;
    else this.#less(query, key.namespace);
  }

  /** Items in the archive. */
  get archived(): number {
    return this.#archived;
  }

  /** A listed item that is not in the backup, or is already in it. */
  passedOver(query: Query | undefined, namespace?: string): void {
    if (query !== undefined) this.#less(query, namespace);
  }

  /** A page was read. A list that starts over has again what it had. */
  page(query: Query, page: Page): void {
    const rest = this.#restOf(query);
    if (rest === undefined) return;
    const { length } = page.items;
    if (page.remaining !== undefined) rest.items = length + page.remaining;
    // Of a kind that the server does not count, another page like this one: more is done than not, but not nearly all.
    else if (rest.items !== undefined) rest.items = page.more === undefined ? length : Math.max(rest.items, 2 * length);
  }

  ended(query: Query): void {
    this.#kinds.get(query.list.groupResource)?.open.delete(query);
  }

  addNeeded(): void {
    this.#needed += 1;
  }

  dropNeeded(): void {
    this.#needed -= 1;
  }

  failed(): void {
    this.#unread += 1;
  }

  /** Everything was seen: from here on the total is exact. */
  end(): void {
    this.#isComplete = true;
  }

  total(): Total {
    let sum = this.#needed + this.#unread;
    let left = 0;
    let isKnown = true;
    for (const kind of this.#kinds.values()) {
      sum += kind.archived + kind.failed + kind.postponed;
      left += openOf(kind);
      isKnown &&= kind.open.values().every(({ items }) => items !== undefined);
    }
    if (this.#isComplete) return exact(sum);
    return isKnown ? estimate(sum + Math.round(left)) : UNKNOWN;
  }

  /** For status: the kinds with the most items, also those that are still to come. */
  byKind(): JsonObject[] {
    const kinds = [...this.#kinds.values()]
      .map((kind) => ({ kind, total: kind.archived + kind.failed + kind.postponed + Math.round(openOf(kind)) }))
      .filter(({ total }) => total > 0);
    const groups = new Map<string, number>();
    for (const { kind } of kinds) groups.set(kind.type.kind, (groups.get(kind.type.kind) ?? 0) + 1);
    return kinds
      .toSorted((a, b) => b.total - a.total)
      .slice(0, MAX_KINDS)
      .map(({ kind: { type, archived, failed }, total }) => ({
        kind: (groups.get(type.kind) ?? 0) > 1 && type.group !== '' ? `${type.kind}.${type.group}` : type.kind,
        total,
        created: archived,
        ...(failed > 0 ? { failed } : {}),
      }));
  }

  /** Without an object for each name: they may be hundreds of thousands. */
  resourceList(): ResourceList {
    const names = new Map<string, string[]>();
    for (const [groupResource, { type, ids }] of this.#kinds) {
      const kind = `${apiVersionOf(type)}/${type.kind}`;
      const own = ids.map((id) => nameIn(id, groupResource));
      if (own.length > 0) names.set(kind, [...(names.get(kind) ?? []), ...own]);
    }
    const sorted = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([kind, all]) => [kind, all.sort()]));
  }

  #less(query: Query, namespace: string | undefined): void {
    const rest = this.#restOf(query);
    if (rest === undefined) return;
    if (rest.items !== undefined) rest.items = Math.max(0, rest.items - 1);
    if (query.wanted === undefined || namespace === undefined || namespace === rest.at) return;
    rest.at = namespace;
    rest.share = query.wanted.from(namespace) ?? rest.share;
  }

  #restOf(query: Query): Rest | undefined {
    return this.#kinds.get(query.list.groupResource)?.open.get(query);
  }

  #kind(type: DiscoveredType, groupResource: string): KindTally {
    const known = this.#kinds.get(groupResource);
    if (known !== undefined) return known;
    const fresh: KindTally = { type, open: new Map(), postponed: 0, archived: 0, failed: 0, ids: [] };
    this.#kinds.set(groupResource, fresh);
    return fresh;
  }
}

/** `namespace/name`, or `name`. */
function nameIn(id: string, groupResource: string): string {
  const isOfCluster = id[groupResource.length + 1] === '/';
  return id.slice(groupResource.length + (isOfCluster ? 2 : 1));
}

function openOf({ open }: KindTally): number {
  return open.values().reduce((sum, { items = 0, share }) => sum + items * share, 0);
}
