import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plannedList } from '../../../../../test/backup/kube-lists.ts';
import { type } from '../../../../../test/backup/sample-cluster.ts';
import { NamespaceShare } from '../../../../core/backup/index.ts';
import { feed, itemId, newMeter, takeReport, UNKNOWN, type Meter } from '../../../../core/progress/index.ts';
import type { Page } from '../../../../edge/kube/index.ts';
import type { Query } from './query.ts';
import { Tally } from './tally.ts';

const NAMESPACES = ['a', 'b', 'c', 'd'];
const PAGE = 3;

/** What one list of a backup has, and what is known of it beforehand. */
interface Listed {
  /** The namespaces of its objects, in its order. */
  objects: string[];
  wanted: string[] | undefined;
  /** What the first page says; undefined for labels. */
  expected: number | undefined;
  /** Whether pages say how many follow. */
  isCounted: boolean;
  /** Of its items: passed over, refused, or in need of others. */
  fates: ('archived' | 'passedOver' | 'refused' | 'needy')[];
}

const listed: fc.Arbitrary<Listed> = fc.record({
  objects: fc.array(fc.constantFrom(...NAMESPACES), { maxLength: 12 }).map((places) => places.toSorted()),
  wanted: fc.option(fc.uniqueArray(fc.constantFrom(...NAMESPACES)), { nil: undefined }),
  expected: fc.nat(20),
  isCounted: fc.boolean(),
  fates: fc.array(fc.constantFrom('archived', 'passedOver', 'refused', 'needy'), { minLength: 12, maxLength: 12 }),
});

function queryOf({ wanted, expected }: Listed, at: number): Query {
  const kind = type('', `Kind${at}`, `kinds${at}`);
  return {
    ...{ list: plannedList(kind), target: { type: kind }, labelSelector: '', expected },
    ...(wanted === undefined ? {} : { wanted: new NamespaceShare(wanted, NAMESPACES) }),
  };
}

function pageOf(items: readonly string[], isCounted: boolean, left: number): Page {
  return {
    ...{ items: items as never, resourceVersion: '1', restarted: false },
    ...(isCounted ? { remaining: left } : {}),
    ...(left > 0 ? { more: 'token' } : {}),
  };
}

/** Walks through the lists as a collector does; `look` sees the tally after every step. */
function walk(lists: readonly Listed[], look: (tally: Tally) => void): { tally: Tally; archived: number; all: number } {
  const queries = lists.map(queryOf);
  const tally = new Tally(queries);
  const seen = { archived: 0, all: 0 };
  let needed = 0;
  look(tally);
  for (const [at, { objects, isCounted, fates }] of lists.entries()) {
    const query = queries[at]!;
    for (let from = 0; from < objects.length; from += PAGE) {
      const items = objects.slice(from, from + PAGE);
      tally.page(query, pageOf(items, isCounted, objects.length - from - items.length));
      for (const [index, namespace] of items.entries()) {
        const fate = query.wanted?.has(namespace) === false ? 'passedOver' : fates[from + index];
        const key = { groupResource: query.list.groupResource, namespace, name: String(from + index) };
        if (fate === 'passedOver') tally.passedOver(query, namespace);
        else tally.settled({ key, id: itemId(key), type: query.list.type, isRefused: fate === 'refused' }, query);
        if (fate === 'needy') tally.addNeeded();
        if (fate === 'needy') needed += 1;
        if (fate !== 'passedOver') seen.all += 1;
        if (fate === 'archived' || fate === 'needy') seen.archived += 1;
        look(tally);
      }
    }
    tally.ended(query);
    look(tally);
  }
  for (; needed > 0; needed -= 1) {
    if (needed % 2 === 0) tally.dropNeeded();
    else {
      const key = { groupResource: 'others', name: String(needed) };
      tally.settled({ key, id: itemId(key), type: type('', 'Other', 'others'), isRefused: false }, undefined);
      seen.archived += 1;
      seen.all += 1;
    }
    look(tally);
  }
  tally.end();
  look(tally);
  return { tally, ...seen };
}

describe('the total of a backup', () => {
  it('is never below what is done, and exact at the end, however wrong the first guess was', () => {
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 6 }), (lists) => {
        const { tally, archived, all } = walk(lists, (now) => {
          const total = now.total();
          expect(total.kind).not.toBe('unknown');
          if (total.kind !== 'unknown') expect(total.value).toBeGreaterThanOrEqual(now.archived);
        });
        expect(tally.archived).toBe(archived);
        expect(tally.total()).toEqual({ kind: 'exact', value: all });
      }),
    );
  });

  it('is right from the beginning, if the server counts and everything is wanted', () => {
    const whole = listed.map(({ objects, ...rest }): Listed => ({
      ...{ ...rest, objects, wanted: undefined, isCounted: true, expected: objects.length },
      fates: objects.map(() => 'archived'),
    }));
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 6 }), (lists) => {
        const sum = lists.reduce((total, { objects }) => total + objects.length, 0);
        walk(lists, (now) => {
          expect(now.total()).toMatchObject({ value: sum });
        });
      }),
    );
  });

  it('gives a percent that never falls and is 100 only at the end', () => {
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 6 }), (lists) => {
        let meter: Meter = feed(newMeter(0), { kind: 'start' }, 0);
        const shown: number[] = [];
        let now = 0;
        walk(lists, (tally) => {
          now += 100;
          const event = { kind: 'measure', unit: 'items', done: tally.archived, total: tally.total() } as const;
          const taken = takeReport(feed(meter, event, now), now);
          meter = taken.meter;
          shown.push(taken.report.percent ?? 0);
        });
        expect(shown).toEqual(shown.toSorted((a, b) => a - b));
        expect(Math.max(...shown)).toBeLessThan(100);
      }),
    );
  });

  it('believes each page more than the guess before it', () => {
    const fates = Array.from({ length: 12 }, () => 'archived' as const);
    const objects = Array.from({ length: 9 }, () => 'a');
    const totals: unknown[] = [];
    walk([{ objects, wanted: undefined, expected: 20, isCounted: true, fates }], (tally) => totals.push(tally.total()));
    expect(totals[0]).toEqual({ kind: 'estimate', value: 20 });
    expect(totals.slice(1, -1)).toEqual(totals.slice(1, -1).map(() => ({ kind: 'estimate', value: 9 })));
  });

  it('expects another page of a kind that nobody counts, so that little is not taken for nearly all', () => {
    const objects = Array.from({ length: 30 }, () => 'a');
    const fates = objects.map(() => 'archived' as const);
    const percents: number[] = [];
    walk([{ objects, wanted: undefined, expected: 6, isCounted: false, fates }], (tally) => {
      const total = tally.total();
      if (total.kind === 'estimate') percents.push((100 * tally.archived) / total.value);
    });
    // At the end of the second of ten pages, two thirds; of the ninth, nine tenths.
    expect(percents[2 * PAGE]).toBeCloseTo(200 / 3, 0);
    expect(Math.max(...percents.slice(0, 9 * PAGE))).toBeLessThanOrEqual(90);
  });

  it('is unknown only while a list by labels is open, of which nobody knows the length', () => {
    const one: Listed = {
      objects: ['a'],
      wanted: undefined,
      expected: undefined,
      isCounted: false,
      fates: ['archived'],
    };
    const kinds: string[] = [];
    walk([{ ...one, expected: 1 }, one], (tally) => kinds.push(tally.total().kind));
    expect([kinds[0], kinds.at(-2), kinds.at(-1)]).toEqual([UNKNOWN.kind, 'estimate', 'exact']);
  });

  it('knows how much of a long list can still be wanted by where it has come to', () => {
    const objects = NAMESPACES.flatMap((namespace) => [namespace, namespace]);
    const fates = objects.map(() => 'archived' as const);
    const totals: number[] = [];
    walk([{ objects, wanted: ['a'], expected: 8, isCounted: true, fates }], (tally) => {
      const total = tally.total();
      if (total.kind !== 'unknown') totals.push(total.value);
    });
    // A quarter of it; what comes after the only wanted namespace is none of it.
    expect(totals[0]).toBe(2);
    expect(totals.slice(3)).toEqual(totals.slice(3).map(() => 2));
  });
});

it('tells the kinds that are still to come, too', () => {
  const one: Listed = { objects: [], wanted: undefined, expected: 7, isCounted: true, fates: [] };
  const tally = new Tally([one, { ...one, expected: 0 }, { ...one, wanted: ['a'], expected: 8 }].map(queryOf));
  expect(tally.byKind()).toEqual([
    { kind: 'Kind0', total: 7, created: 0 },
    { kind: 'Kind2', total: 2, created: 0 },
  ]);
  expect(tally.total()).toEqual({ kind: 'estimate', value: 9 });
});

it('lists what is archived by kind, sorted, with the namespaces where there are some', () => {
  const tally = new Tally([]);
  const settle = (
    kind: ReturnType<typeof type>,
    key: { namespace?: string; name: string },
    isRefused = false,
  ): void => {
    const whole = { groupResource: kind.plural, ...key };
    tally.settled({ key: whole, id: itemId(whole), type: kind, isRefused }, undefined);
  };
  const maps = type('', 'ConfigMap', 'configmaps');
  settle(type('', 'PersistentVolume', 'persistentvolumes', { namespaced: false }), { name: 'v1' });
  settle(maps, { namespace: 'b', name: 'm' });
  settle(maps, { namespace: 'a', name: 'm' });
  settle(maps, { namespace: 'a', name: 'refused' }, true);
  expect(JSON.stringify(tally.resourceList())).toBe('{"v1/ConfigMap":["a/m","b/m"],"v1/PersistentVolume":["v1"]}');
});
