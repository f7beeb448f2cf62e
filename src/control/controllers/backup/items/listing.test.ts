import { expect, it } from 'vitest';
import { AppError } from '../../../../base/index.ts';
import type { PlannedList } from '../../../../core/backup/index.ts';
import type { Kube, KubeClient, KubeObject, ListOptions, Page } from '../../../../edge/kube/index.ts';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { patienceOf } from '../../../operation/index.ts';
import { Listing, type Query } from './listing.ts';

const page = (name: string): Page => ({
  items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }],
  resourceVersion: '1',
  restarted: false,
});

function newQuery(): Query {
  const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  return { list: {} as PlannedList, target: { type }, labelSelector: '', expected: undefined };
}

function patience(clock: FakeClock, signal: AbortSignal) {
  const nothing = { tell: () => undefined, end: () => undefined };
  const kube = { version: () => Promise.resolve('v1.36.3') } as unknown as KubeClient;
  return patienceOf({ wait: () => nothing }, { kube, clock, random: () => 0 }).until(signal);
}

it('goes on with a list that takes so long that the server gives its place up, however often', async () => {
  const clock = new FakeClock();
  const signal = new AbortController().signal;
  let walks = 0;
  // Each pass gets one page further before its token expires.
  async function* list(): AsyncGenerator<Page> {
    walks += 1;
    for (let at = 0; at < 6; at += 1) {
      if (at === walks) throw new AppError('gone', 'the continue token is too old');
      yield await Promise.resolve(page(`m${at}`));
    }
  }
  const api = patience(clock, signal);
  const listing = new Listing({ kube: { list } as unknown as Kube, api, signal });
  const query = newQuery();
  const seen = new Set<string>();
  const reading = (async () => {
    for await (const items of listing.pages(query)) for (const { metadata } of items) seen.add(metadata.name);
  })();
  await clock.advance(60_000);
  await reading;
  expect([...seen]).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  expect(walks).toBe(6);
});

it('keeps first pages up to a bound of their bytes, and only counts lists beyond it', async () => {
  const MIB = 1024 * 1024;
  const asked: (number | undefined)[] = [];
  let released = 0;
  async function* list(_target: unknown, options: ListOptions): AsyncGenerator<Page> {
    asked.push(options.limit);
    const release = (): void => {
      released += 1;
    };
    yield await Promise.resolve({ ...page('m'), remaining: 9, bytes: 7 * MIB, release });
  }
  const signal = new AbortController().signal;
  const nothing = (): void => undefined;
  const clock = new FakeClock();
  const api = patience(clock, signal);
  const listing = new Listing({ kube: { list } as unknown as Kube, api, signal });
  const queries = Array.from({ length: 8 }, () => newQuery());
  for (const query of queries) await listing.count([query], nothing);
  // Two fit, the third does not, and those after it are not even asked for a page.
  expect(asked).toEqual([500, 500, 500, 1, 1, 1, 1, 1]);
  expect(released).toBe(6);
  expect(queries.map(({ opened }) => opened !== undefined)).toEqual([true, true, ...Array<boolean>(6).fill(false)]);
  expect(queries.every(({ expected }) => expected === 10)).toBe(true);
});

it('knows how many there are also of a kind with exactly one object, when nothing is kept any more', async () => {
  const all: Record<string, KubeObject[]> = {
    many: Array.from({ length: 900 }, (_, at) => page(`m${at}`).items as unknown as KubeObject[]).flat(),
    one: [...page('only').items],
    none: [],
  };
  async function* list(target: { namespace?: string }, { limit = 500 }: ListOptions): AsyncGenerator<Page> {
    const objects = all[target.namespace ?? ''] ?? [];
    const items = objects.slice(0, limit);
    yield await Promise.resolve({
      ...{ items, resourceVersion: '1', restarted: false, remaining: objects.length - items.length },
      ...{ bytes: 20 * 1024 * 1024, release: () => undefined },
    });
  }
  const signal = new AbortController().signal;
  const listing = new Listing({ kube: { list } as unknown as Kube, api: patience(new FakeClock(), signal), signal });
  const queries = ['many', 'one', 'none', 'one'].map((namespace) => {
    const query = newQuery();
    return { ...query, target: { ...query.target, namespace } };
  });
  for (const query of queries) await listing.count([query], () => undefined);
  expect(queries.map(({ expected }) => expected)).toEqual([900, 1, 0, 1]);
});
