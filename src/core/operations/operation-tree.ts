import type { KubeObject } from '../../api/meta/kube-object.ts';
import { withUpstreamNames } from '../../api/meta/rename.ts';
import type { Adapter } from './adapter.ts';
import { atMoment } from './at-moment.ts';
import type { OperationsAnswer } from './answers/index.ts';
import { readContinue } from './continue-token.ts';
import { FamilyLinks } from './family-links.ts';
import { neverLess } from './never-less.ts';
import type { Operation, OperationCounts, OperationDetail } from './operation.ts';
import { formatOperationId } from './operation-id.ts';
import {
  compareKeys,
  matchesIdentity,
  matchesNow,
  partKey,
  sortKey,
  type OperationQuery,
  type SortKey,
} from './operation-query.ts';
import { readDetail, readOperation } from './read-operation.ts';

export interface TreeEntry {
  adapter: Adapter;
  object: KubeObject;
  operation: Operation;
  /** The version of its last change. */
  version: number;
  /** The version in which its state or its parent last changed, so that another filter may match it. */
  turnedAt: number;
}

export interface Removal {
  operation: Operation;
  version: number;
}

export interface Changes {
  /** By version, so that a reader who stops in the middle can continue from the last one. */
  changed: TreeEntry[];
  removed: Removal[];
}

export type MaySee = (operation: Operation) => boolean;

export interface PageOptions {
  limit: number;
  continue?: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

// How many removals are remembered; a client that was away for longer starts over.
const MAX_REMOVALS = 10_000;
/** More are not listed in a detail, which is sent again with every change. */
const MAX_PARTS = 200;

/** Every operation of every cluster as last seen, each with the version of its last change. */
export class OperationTree {
  readonly #entries = new Map<string, TreeEntry>();
  readonly #links = new FamilyLinks();
  /** Of parts whose parent their reader may not see; made once for all such readers. */
  readonly #orphans = new WeakMap<Operation, Operation>();
  #removals: Removal[] = [];
  #version = 0;
  /** Changes up to this version may have been forgotten. */
  #forgotten = 0;

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  put(adapter: Adapter, object: KubeObject, seen: { cluster: string; now: number }): TreeEntry {
    const read = readOperation(adapter, object, seen);
    const { id } = read;
    const { namespace = '', name, uid } = read.ref;
    const { kind } = adapter.type;
    const ref = adapter.parent?.(withUpstreamNames(object, adapter.renames ?? []));
    const others = this.#links.put({ id, cluster: seen.cluster, kind, namespace, name, uid }, ref);
    const operation = neverLess(this.#entries.get(id)?.operation, read);
    const entry = this.#set({ adapter, object, operation: this.#withParent(operation) });
    this.#moved(others);
    return entry;
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#removals.push({ operation: entry.operation, version: (this.#version += 1) });
    this.#moved(this.#links.delete(id));
    if (this.#removals.length <= MAX_REMOVALS) return;
    const kept = this.#removals.slice(MAX_REMOVALS / 2);
    this.#forgotten = this.#removals[MAX_REMOVALS / 2 - 1]?.version ?? this.#forgotten;
    this.#removals = kept;
  }

  get(id: string): TreeEntry | undefined {
    return this.#entries.get(id);
  }

  entries(): IterableIterator<TreeEntry> {
    return this.#entries.values();
  }

  /** What changed after a version; undefined when that is no longer known. */
  since(version: number): Changes | undefined {
    if (version < this.#forgotten || version > this.#version) return undefined;
    return {
      changed: [...this.#entries.values()].filter((entry) => entry.version > version),
      removed: this.#removals.filter((removal) => removal.version > version),
    };
  }

  /** Whether an operation is another one or a part of it, at whatever distance; also of one that was just removed. */
  isWithin({ id, parent }: Operation, ancestor: string): boolean {
    if (id === ancestor || parent === ancestor) return true;
    return parent !== undefined && this.#links.isWithin(parent, ancestor);
  }

  /** The operation as somebody sees it: who may not see its parent is not told of it. */
  seenBy(operation: Operation, maySee: MaySee): Operation {
    const { parent } = operation;
    const above = parent === undefined ? undefined : this.#entries.get(parent)?.operation;
    if (above === undefined || maySee(above)) return operation;
    const known = this.#orphans.get(operation);
    if (known !== undefined) return known;
    const { parent: _, ...orphan } = operation;
    this.#orphans.set(operation, orphan);
    return orphan;
  }

  detail(id: string, now: number, maySee: MaySee): OperationDetail | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || !maySee(entry.operation)) return undefined;
    const { adapter, object, operation } = entry;
    const { parts, partCounts } = this.#partsOf(id, maySee);
    return {
      ...readDetail(adapter, object, { cluster: operation.cluster, now }),
      // The percent that was seen, and what only the tree knows.
      ...atMoment(this.seenBy(operation, maySee), now),
      parts: parts.map((part) => atMoment(part, now)),
      partCounts,
    };
  }

  /** One page of what matches, with the counts of everything that matches. */
  page(query: OperationQuery, maySee: MaySee, options: PageOptions): OperationsAnswer {
    const { sort = 'attention' } = query;
    const sign = sort === '-name' ? -1 : 1;
    const matching: { key: SortKey; operation: Operation }[] = [];
    const counts = noCounts();
    for (const { operation: each } of this.#entries.values()) {
      if (!maySee(each) || !matchesIdentity(query, each)) continue;
      if (query.parent !== undefined && this.#isToldByTwin(each, maySee)) continue;
      const operation = this.seenBy(each, maySee);
      if (!matchesNow(query, operation)) continue;
      count(counts, operation);
      matching.push({ key: sortKey(operation, sort), operation });
    }
    matching.sort((a, b) => sign * compareKeys(a.key, b.key));
    const after = options.continue === undefined ? undefined : readContinue(options.continue, matching[0]?.key);
    const from = after === undefined ? 0 : matching.findIndex(({ key }) => sign * compareKeys(key, after) > 0);
    const rows = from < 0 ? [] : matching.slice(from, from + options.limit);
    const last = rows.at(-1);
    const hasMore = last !== undefined && from + rows.length < matching.length;
    return {
      operations: rows.map(({ operation }) => atMoment(operation, options.now)),
      total: matching.length,
      counts,
      ...(hasMore ? { continue: JSON.stringify(last.key) } : {}),
    };
  }

  /** Level by level, so that what is nearest is not crowded out by what is below one of them. */
  #partsOf(id: string, maySee: MaySee): Pick<OperationDetail, 'parts' | 'partCounts'> {
    const partCounts = noCounts();
    const parts: Operation[] = [];
    for (let level = [id]; level.length > 0;) {
      const below = level
        .flatMap((each) => [...this.#links.childrenOf(each)])
        .flatMap((each) => this.#entries.get(each)?.operation ?? [])
        .filter((operation) => maySee(operation) && !this.#isToldByTwin(operation, maySee));
      for (const operation of below) count(partCounts, operation);
      const keyed = below.map((operation) => ({ key: partKey(operation), operation }));
      keyed.sort((a, b) => compareKeys(a.key, b.key));
      parts.push(...keyed.slice(0, MAX_PARTS - parts.length).map(({ operation }) => operation));
      level = below.map((operation) => operation.id);
    }
    return { parts, partCounts };
  }

  /** Whether it is Velero's record of what another one of Headway's own tells of: the same copy, not a second one. */
  #isToldByTwin({ id, cluster, ref }: Operation, maySee: MaySee): boolean {
    const twin = this.#entries.get(id)?.adapter.twin;
    if (twin === undefined) return false;
    const { namespace = '', name } = ref;
    const other = this.#entries.get(formatOperationId({ cluster, kind: twin, namespace, name }))?.operation;
    if (other === undefined || !maySee(other)) return false;
    return this.#links.parentOf(other.id) === this.#links.parentOf(id);
  }

  #set({ adapter, object, operation }: Omit<TreeEntry, 'version' | 'turnedAt'>): TreeEntry {
    const before = this.#entries.get(operation.id);
    const version = (this.#version += 1);
    const isSame = before !== undefined && standing(before.operation) === standing(operation);
    const entry = { adapter, object, operation, version, turnedAt: isSame ? before.turnedAt : version };
    // Inserted last, so that the newest change is the last entry.
    this.#entries.delete(operation.id);
    this.#entries.set(operation.id, entry);
    return entry;
  }

  /** Those that have another parent now, or none. */
  #moved(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#set({ ...entry, operation: this.#withParent(entry.operation) });
    }
  }

  #withParent(operation: Operation): Operation {
    const parent = this.#links.parentOf(operation.id);
    if (parent === operation.parent) return operation;
    const { parent: _, ...others } = operation;
    return parent === undefined ? others : { ...others, parent };
  }
}

/** What filters that can change their mind look at. */
function standing({ report, parent }: Operation): string {
  return `${report.state} ${String(report.stalled !== undefined)} ${parent ?? ''}`;
}

function count(counts: OperationCounts, { report }: Operation): void {
  counts[report.state] += 1;
  if (report.stalled !== undefined) counts.stalled += 1;
}

function noCounts(): OperationCounts {
  return { pending: 0, running: 0, completed: 0, partiallyFailed: 0, failed: 0, canceled: 0, stalled: 0 };
}
