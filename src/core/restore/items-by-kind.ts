import type { Counts, Outcome } from '../progress/index.ts';

export interface KindCounts extends Counts {
  kind: string;
  total: number;
}

const MAX_KINDS = 50;

/** The outcomes of the items of each type, while a restore runs. */
export class ItemsByKind {
  readonly #rows = new Map<string, Counts & { total: number }>();

  plan(groupResource: string, items: number): void {
    this.#row(groupResource).total += items;
  }

  settle(groupResource: string, outcome: Outcome): void {
    const row = this.#row(groupResource);
    row[outcome] += 1;
    // Items that others needed were not planned.
    row.total = Math.max(row.total, row.created + row.updated + row.skipped + row.failed);
  }

  /**
   * The types with the most items. `kindOf` gives the name people use for a type; a name that two share gets its group.
   */
  list(kindOf: (groupResource: string) => string): KindCounts[] {
    const rows = [...this.#rows].map(([groupResource, counts]) => ({
      groupResource,
      kind: kindOf(groupResource),
      counts,
    }));
    const shared = Map.groupBy(rows, ({ kind }) => kind);
    return rows
      .toSorted((a, b) => b.counts.total - a.counts.total)
      .slice(0, MAX_KINDS)
      .map(({ groupResource, kind, counts }) => {
        const isShared = (shared.get(kind)?.length ?? 0) > 1;
        return { kind: isShared ? qualified(kind, groupResource) : kind, ...counts };
      });
  }

  #row(groupResource: string): Counts & { total: number } {
    const known = this.#rows.get(groupResource);
    if (known !== undefined) return known;
    const row = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
    this.#rows.set(groupResource, row);
    return row;
  }
}

function qualified(kind: string, groupResource: string): string {
  const dot = groupResource.indexOf('.');
  return dot < 0 ? kind : `${kind}${groupResource.slice(dot)}`;
}
