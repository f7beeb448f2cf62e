import {
  matchesIdentity,
  matchesNow,
  type MaySee,
  type Changes,
  type Operation,
  type OperationQuery,
  type OperationTree,
  type TreeEntry,
} from '../../core/operations/index.ts';
import { eventText, operationText, Piece } from './event-text.ts';
import { stringifyJson } from '../../base/index.ts';

export interface ViewQuery extends OperationQuery {
  /** Only this one, in all detail. */
  operation?: string;
  limit: number;
}

export interface ViewOptions {
  query: ViewQuery;
  maySee: MaySee;
  /** Tells this process from the one before it, whose versions mean nothing here. */
  epoch: string;
}

const MAX_CHANGES = 8;
const SNAPSHOT_MS = 1000;

export interface Snapshot {
  version: number;
  piece: Piece;
}

/** What everybody with the same question and the same rights is sent; made once for all of them. */
export class View {
  readonly #tree: OperationTree;
  readonly #options: ViewOptions;
  #snapshot: (Snapshot & { madeAt: number }) | undefined;
  /** By the version they begin at; readers that keep up share one, and slow ones do not push it out. */
  #changes = new Map<number, Piece | 'unknown' | undefined>();
  #changesTo = 0;

  constructor(tree: OperationTree, options: ViewOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** At most a second old, because many may come at once; what changed since then follows. */
  snapshot(now: number): Snapshot {
    if (this.#snapshot === undefined || now - this.#snapshot.madeAt >= SNAPSHOT_MS) {
      const { version } = this.#tree;
      const piece = new Piece(eventText('snapshot', this.#snapshotData(now), this.#id(version)));
      this.#snapshot = { madeAt: now, version, piece };
    }
    return this.#snapshot;
  }

  /** What is too old to be sent to anybody need not be kept; a view may stay open for days. */
  forgetOld(now: number): void {
    if (this.#snapshot !== undefined && now - this.#snapshot.madeAt >= SNAPSHOT_MS) this.#snapshot = undefined;
    if (this.#changesTo !== this.#tree.version) this.#changes.clear();
  }

  /** What is new after a version, if anything is; `unknown` when that cannot be said any more. */
  since(version: number, now: number): Piece | 'unknown' | undefined {
    if (this.#changesTo !== this.#tree.version || this.#changes.size >= MAX_CHANGES) this.#changes.clear();
    this.#changesTo = this.#tree.version;
    if (!this.#changes.has(version)) this.#changes.set(version, this.#piece(version, now));
    return this.#changes.get(version);
  }

  #piece(version: number, now: number): Piece | 'unknown' | undefined {
    const changes = this.#tree.since(version);
    if (changes === undefined) return 'unknown';
    const { operation: id } = this.#options.query;
    if (id !== undefined) return this.#detailPiece(id, changes, now);
    const events = [
      ...changes.changed.map((entry) => ({ at: entry.version, text: this.#changed(entry, version) })),
      ...changes.removed.map(({ operation, version: at }) => ({ at, text: this.#removed(operation, at) })),
    ];
    const told = events.filter(({ text }) => text !== '').toSorted((a, b) => a.at - b.at);
    return told.length === 0 ? undefined : new Piece(told.map(({ text }) => text).join(''));
  }

  /** One operation in all detail: however many of its parts changed, it is told once. */
  #detailPiece(id: string, { changed, removed }: Changes, now: number): Piece | undefined {
    const { maySee } = this.#options;
    const about = [...changed, ...removed].filter(
      ({ operation }) => this.#tree.isWithin(operation, id) && maySee(operation),
    );
    if (about.length === 0) return undefined;
    const version = Math.max(...about.map((each) => each.version));
    const detail = this.#tree.detail(id, now, maySee);
    const isGone = about.some(({ operation }) => operation.id === id);
    if (detail !== undefined) return new Piece(eventText('operation', stringifyJson(detail), this.#id(version)));
    return isGone ? new Piece(eventText('removed', stringifyJson({ id }), this.#id(version))) : undefined;
  }

  #changed({ operation: each, version, turnedAt }: TreeEntry, since: number): string {
    const { query, maySee } = this.#options;
    if (!this.#concerns(each)) return '';
    const operation = this.#tree.seenBy(each, maySee);
    // What did not match before either is nothing that a reader could have.
    if (!matchesNow(query, operation)) return turnedAt > since ? this.#removed(operation, version) : '';
    return eventText('operation', operationText(operation), this.#id(version));
  }

  #removed(operation: Operation, version: number): string {
    if (!this.#concerns(operation)) return '';
    return eventText('removed', stringifyJson({ id: operation.id }), this.#id(version));
  }

  #concerns(operation: Operation): boolean {
    const { query, maySee } = this.#options;
    return matchesIdentity(query, operation) && maySee(operation);
  }

  #snapshotData(now: number): string {
    const { query, maySee } = this.#options;
    const { operation: id, limit, ...asked } = query;
    if (id === undefined) {
      const { operations, ...page } = this.#tree.page(asked, maySee, { limit, now });
      const rows = operations.map((each) => operationText(each)).join(',');
      return `${stringifyJson(page).slice(0, -1)},"operations":[${rows}]}`;
    }
    const detail = this.#tree.detail(id, now, maySee);
    const one = detail === undefined ? [] : [stringifyJson(detail)];
    const { counts } = this.#tree.page({}, (each) => each.id === id && maySee(each), { limit: 1, now });
    return `{"operations":[${one.join(',')}],"total":${String(one.length)},"counts":${JSON.stringify(counts)}}`;
  }

  #id(version: number): string {
    return `${this.#options.epoch}-${String(version)}`;
  }
}
