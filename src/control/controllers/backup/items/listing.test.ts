import { expect, it } from 'vitest';
import { KubeLists, patientCalls, plannedList } from '../../../../../test/backup/kube-lists.ts';
import { type } from '../../../../../test/backup/sample-cluster.ts';
import { eventually } from '../../../../../test/eventually.ts';
import { AppError } from '../../../../base/index.ts';
import { Listing } from './listing.ts';
import type { Query } from './query.ts';

const MAPS = type('', 'ConfigMap', 'configmaps');
const PLACES = Array.from({ length: 20 }, (_, at) => `ns-${at}`);

function listingOf(lists: KubeLists): { listing: Listing; queries: Query[] } {
  const { signal } = new AbortController();
  const queries = PLACES.map((namespace): Query => ({
    ...{ list: plannedList(MAPS), target: { type: MAPS, namespace }, labelSelector: '', expected: 1 },
  }));
  return { listing: new Listing(queries, { kube: lists.kube, api: patientCalls(signal), signal }), queries };
}

it('reads a few lists ahead, each once, and gives all of them in their order', async () => {
  const lists = new KubeLists().add(MAPS, ...PLACES.map((namespace) => `${namespace}/m`));
  const { listing, queries } = listingOf(lists);
  const seen: string[] = [];
  for (const query of queries) {
    for await (const { items } of listing.pages(query)) {
      for (const { metadata } of items) seen.push(metadata.namespace ?? '');
      if (seen.length === 1) {
        await eventually(() => {
          expect(lists.pages).toHaveLength(3);
        });
      }
      expect(lists.held).toBeLessThanOrEqual(3);
    }
  }
  expect(seen).toEqual(PLACES);
  expect(lists.pages).toHaveLength(PLACES.length);
  expect(lists.held).toBe(0);
});

it('reads more of them ahead when they are known to be short', async () => {
  const lists = new KubeLists().add(MAPS, ...PLACES.map((namespace) => `${namespace}/m`));
  const { listing, queries } = listingOf(lists);
  for (const [at, query] of queries.entries()) query.itemBytes = at === 10 ? 2_000_000 : 1000;
  const wait = async (pages: number): Promise<void> => {
    await eventually(() => {
      expect(lists.pages).toHaveLength(pages);
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(lists.pages).toHaveLength(pages);
  };
  for await (const _ of listing.pages(queries[0]!)) {
    // Nine of an eighth of a page and one of a whole page are more than two pages.
    await wait(11);
  }
  // Of one item each, with room for more than that; a whole page of what was expected to be short would be too much.
  expect(new Set(lists.pages.map(({ limit }) => limit))).toEqual(new Set([10, 1]));
  for await (const _ of listing.pages(queries[1]!)) await wait(11);
  for await (const _ of listing.pages(queries[2]!)) await wait(12);
  await listing.end();
});

it('reads nothing ahead of a list whose only page is there, and the next ones instead', async () => {
  const lists = new KubeLists().add(MAPS, ...PLACES.map((namespace) => `${namespace}/m`));
  const { listing, queries } = listingOf(lists);
  for (const query of queries.slice(1, 4)) {
    query.first = { items: [], resourceVersion: '1', restarted: false, remaining: 0 };
  }
  for await (const _ of listing.pages(queries[0]!)) {
    await eventually(() => {
      expect(lists.pages).toHaveLength(3);
    });
  }
  expect(lists.pages.map(({ of }) => of).toSorted()).toEqual(
    ['ns-0', 'ns-4', 'ns-5'].map((namespace) => `configmaps ${namespace}`),
  );
});

it('frees everything when nobody goes on', async () => {
  const lists = new KubeLists().add(MAPS, ...PLACES.map((namespace) => `${namespace}/m`));
  const { listing, queries } = listingOf(lists);
  for await (const _ of listing.pages(queries[0]!)) break;
  await listing.end();
  await eventually(() => {
    expect(lists.held).toBe(0);
  });
});

it('throws what was wrong with a list when it was counted', async () => {
  const { listing, queries } = listingOf(new KubeLists());
  const failure = new AppError('forbidden', 'no');
  const reading = listing.pages({ ...queries[0]!, failure });
  await expect(reading.next()).rejects.toBe(failure);
});
