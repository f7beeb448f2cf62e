import { apiVersionOf } from '../../../../api/index.ts';
import type { JsonObject } from '../../../../base/index.ts';
import { estimate, exact, UNKNOWN, type ItemKey, type Total } from '../../../../core/progress/index.ts';
import type { Query } from './listing.ts';
import { type DiscoveredType, resourceList, type ResourceList } from '../../../../core/selection/index.ts';

interface KindTally {
  type: DiscoveredType;
  /** The expected items of its lists, minus what was left out. */
  open: Map<Query, number | undefined>;
  archived: number;
  failed: number;
  names: { namespace?: string; name: string }[];
}

interface Settled {
  key: ItemKey;
  type: DiscoveredType;
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
    for (const query of queries) this.#kind(query.list.type, query.list.groupResource).open.set(query, query.expected);
  }

  settled({ key, type, isRefused }: Settled, query: Query | undefined): void {
    const kind = this.#kind(type, key.groupResource);
    if (isRefused) kind.failed += 1;
    else {
      kind.archived += 1;
      this.#archived += 1;
      kind.names.push(key.namespace === undefined ? { name: key.name } : { namespace: key.namespace, name: key.name });
    }
    if (query === undefined) this.#needed -= 1;
    else this.#less(query);
  }

  /** Items in the archive. */
  get archived(): number {
    return this.#archived;
  }

  /** A listed item that is not in the backup, or is already in it. */
  passedOver(query: Query | undefined): void {
    if (query !== undefined) this.#less(query);
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
    let isKnown = true;
    for (const kind of this.#kinds.values()) {
      sum += kind.archived + kind.failed;
      for (const left of kind.open.values()) {
        if (left === undefined) isKnown = false;
        else sum += left;
      }
    }
    if (this.#isComplete) return exact(sum);
    return isKnown ? estimate(sum) : UNKNOWN;
  }

  /** For status: the kinds with the most items. */
  byKind(): JsonObject[] {
    const kinds = [...this.#kinds.values()].filter(({ archived, failed }) => archived + failed > 0);
    const groups = new Map<string, number>();
    for (const { type } of kinds) groups.set(type.kind, (groups.get(type.kind) ?? 0) + 1);
    return kinds
      .map((kind) => ({ kind, total: kind.archived + kind.failed + openOf(kind) }))
      .toSorted((a, b) => b.total - a.total)
      .slice(0, MAX_KINDS)
      .map(({ kind: { type, archived, failed }, total }) => ({
        kind: (groups.get(type.kind) ?? 0) > 1 && type.group !== '' ? `${type.kind}.${type.group}` : type.kind,
        total,
        created: archived,
        ...(failed > 0 ? { failed } : {}),
      }));
  }

  resourceList(): ResourceList {
    return resourceList(
      [...this.#kinds.values()].flatMap(({ type, names }) =>
        names.map((one) => ({ ...one, apiVersion: apiVersionOf(type), kind: type.kind })),
      ),
    );
  }

  #less(query: Query): void {
    const open = this.#kinds.get(query.list.groupResource)?.open;
    const left = open?.get(query);
    if (left !== undefined && left > 0) open?.set(query, left - 1);
  }

  #kind(type: DiscoveredType, groupResource: string): KindTally {
    const known = this.#kinds.get(groupResource);
    if (known !== undefined) return known;
    const fresh: KindTally = { type, open: new Map(), archived: 0, failed: 0, names: [] };
    this.#kinds.set(groupResource, fresh);
    return fresh;
  }
}

function openOf({ open }: KindTally): number {
  return [...open.values()].reduce<number>((sum, left) => sum + (left ?? 0), 0);
}
