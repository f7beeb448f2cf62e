import type { KubeObject } from '../../api/meta/kube-object.ts';
import { AppError } from '../../base/index.ts';
import type { Adapter } from './adapter.ts';
import { atMoment } from './at-moment.ts';
import type { OperationCounts, OperationsAnswer } from './answers.ts';
import type { Operation, OperationDetail } from './operation.ts';
import {
  compareKeys,
  matchesIdentity,
  matchesState,
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

/** Every operation of every cluster as last seen, each with the version of its last change. */
export class OperationTree {
  readonly #entries = new Map<string, TreeEntry>();
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
    const operation = readOperation(adapter, object, seen);
    const entry = { adapter, object, operation, version: (this.#version += 1) };
    // Inserted last, so that the newest change is the last entry.
    this.#entries.delete(operation.id);
    this.#entries.set(operation.id, entry);
    return entry;
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#removals.push({ operation: entry.operation, version: (this.#version += 1) });
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

  detail(id: string, now: number, maySee: MaySee): OperationDetail | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || !maySee(entry.operation)) return undefined;
    const { adapter, object, operation } = entry;
    const parts = [...this.#entries.values()].filter((each) => each.operation.parent === id && maySee(each.operation));
    return {
      ...readDetail(adapter, object, { cluster: operation.cluster, now }),
      parts: parts.map((part) => atMoment(part.operation, now)),
    };
  }

  /** One page of what matches, with the counts of everything that matches. */
  page(query: OperationQuery, maySee: MaySee, options: PageOptions): OperationsAnswer {
    const { sort = 'attention' } = query;
    const sign = sort === '-name' ? -1 : 1;
    const matching: { key: SortKey; operation: Operation }[] = [];
    const counts = noCounts();
    for (const { operation } of this.#entries.values()) {
      if (!maySee(operation) || !matchesIdentity(query, operation) || !matchesState(query, operation)) continue;
      counts[operation.report.state] += 1;
      if (operation.report.stalled !== undefined) counts.stalled += 1;
      matching.push({ key: sortKey(operation, sort), operation });
    }
    matching.sort((a, b) => sign * compareKeys(a.key, b.key));
    const after = options.continue === undefined ? undefined : parseContinue(options.continue, matching[0]?.key);
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
}

/** `like` is a key in the requested order: a token of another order would point anywhere. */
function parseContinue(text: string, like: SortKey | undefined): SortKey {
  const shape = (key: SortKey): string => key.map((part) => typeof part).join();
  try {
    const key: unknown = JSON.parse(text);
    const isKey = Array.isArray(key) && key.every((part) => typeof part === 'string' || typeof part === 'number');
    if (isKey && (like === undefined || shape(key) === shape(like))) return key;
  } catch {
    // Reported below, like everything else that is not our token.
  }
  throw new AppError('usage', 'read the continue token: it is none that this server gave for this order');
}

function noCounts(): OperationCounts {
  return { pending: 0, running: 0, completed: 0, partiallyFailed: 0, failed: 0, canceled: 0, stalled: 0 };
}
