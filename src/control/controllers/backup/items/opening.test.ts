import { describe, expect, it } from 'vitest';
import { KubeLists, patientCalls, plannedList, planOf } from '../../../../../test/backup/kube-lists.ts';
import { type } from '../../../../../test/backup/sample-cluster.ts';
import type { PlannedList } from '../../../../core/backup/index.ts';
import { Opening } from './opening.ts';
import type { Query } from './query.ts';

const MAPS = type('', 'ConfigMap', 'configmaps');
const VOLUMES = type('', 'PersistentVolume', 'persistentvolumes', { namespaced: false });
const NAMESPACES = type('', 'Namespace', 'namespaces', { namespaced: false });
const EXISTING = Array.from({ length: 100 }, (_, at) => `ns-${String(at).padStart(2, '0')}`);

/** So many objects in each namespace. */
const inEach = (count: number): string[] =>
  EXISTING.flatMap((namespace) => Array.from({ length: count }, (_, at) => `${namespace}/m${at}`));

async function open(lists: KubeLists, plans: readonly PlannedList[]): Promise<Query[]> {
  const { signal } = new AbortController();
  const deps = { kube: lists.kube, api: patientCalls(signal), signal };
  return await new Opening({ ...deps, plan: planOf(EXISTING), onOpened: () => undefined }).open(plans);
}

const asked = (lists: KubeLists): string[] => lists.pages.map(({ of }) => of);

describe('the lists of a kind', () => {
  it('are one, if one page has everything, and count by what part is wanted', async () => {
    const lists = new KubeLists().add(MAPS, 'ns-01/a', 'ns-02/b', 'ns-50/c');
    const [query, ...more] = await open(lists, [plannedList(MAPS, ['ns-01', 'ns-02'])]);
    expect(more).toEqual([]);
    expect(asked(lists)).toEqual(['configmaps']);
    expect(query).toMatchObject({ expected: 3, target: { type: MAPS }, first: { items: { length: 3 } } });
    expect(query?.wanted?.whole).toBe(0.02);
  });

  it('are one for each namespace, if few are wanted of many objects; nothing is asked twice', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50));
    const queries = await open(lists, [plannedList(MAPS, ['ns-01', 'ns-02'])]);
    expect(queries.map(({ target }) => target.namespace)).toEqual(['ns-01', 'ns-02']);
    expect(queries.map(({ expected }) => expected)).toEqual([50, 50]);
    expect(asked(lists)).toEqual(['configmaps']);
    expect(lists.held).toBe(0);
  });

  it('are one over all namespaces, if most are wanted', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50));
    const queries = await open(lists, [plannedList(MAPS, EXISTING.slice(1))]);
    expect(queries.map(({ target, expected }) => [target.namespace, expected])).toEqual([[undefined, 5000]]);
  });

  it('are the one of the only namespace, and none without one', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50));
    expect(await open(lists, [plannedList(MAPS, ['ns-07'])])).toMatchObject([{ expected: 50 }]);
    expect(await open(lists, [plannedList(MAPS, [])])).toEqual([]);
    expect(asked(lists)).toEqual(['configmaps ns-07']);
  });
});

describe('a kind that may not be listed over all namespaces', () => {
  it('is listed in those where it may be, and the others are told', async () => {
    const lists = new KubeLists().add(MAPS, 'ns-01/a', 'ns-02/b', 'ns-03/c');
    lists.forbidden.add('configmaps').add('configmaps ns-02');
    const queries = await open(lists, [plannedList(MAPS, ['ns-01', 'ns-02', 'ns-03'])]);
    expect(queries.map(({ target, expected, failure }) => [target.namespace, expected, failure?.code])).toEqual([
      ['ns-01', 1, undefined],
      ['ns-02', 0, 'forbidden'],
      ['ns-03', 1, undefined],
    ]);
  });

  it('is listed in all there are, for a backup of everything', async () => {
    const lists = new KubeLists().add(MAPS, 'ns-01/a');
    lists.forbidden.add('configmaps');
    const queries = await open(lists, [plannedList(MAPS)]);
    expect(queries.map(({ target }) => target.namespace)).toEqual(EXISTING);
  });

  it('costs one line, if it may be listed nowhere', async () => {
    const lists = new KubeLists().add(VOLUMES, 'v');
    for (const of of ['configmaps', 'configmaps ns-01', 'configmaps ns-02', 'persistentvolumes']) {
      lists.forbidden.add(of);
    }
    const cluster: PlannedList = { ...plannedList(VOLUMES), scope: { kind: 'cluster' } };
    const queries = await open(lists, [plannedList(MAPS, ['ns-01', 'ns-02']), cluster]);
    expect(queries.map(({ failure }) => failure?.message)).toEqual([
      'configmaps is forbidden',
      'persistentvolumes is forbidden',
    ]);
  });
});

describe('counting', () => {
  it('keeps first pages up to a bound of their bytes, and only counts lists beyond it', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50));
    lists.objectBytes = 100_000;
    const opened = await open(
      lists,
      Array.from({ length: 30 }, () => plannedList(MAPS)),
    );
    const kept = opened.filter(({ first }) => first !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * 30 * lists.objectBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(lists.held).toBe(kept.length);
    expect(lists.pages.filter(({ limit }) => limit === 1).length).toBeGreaterThan(0);
    expect(opened.every(({ expected }) => expected === 5000)).toBe(true);
  });

  it('keeps on reading first pages after one that is longer than all the room', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50)).add(VOLUMES, 'v');
    lists.objectBytes = 300_000;
    await open(lists, [plannedList(MAPS), ...Array.from({ length: 30 }, () => plannedList(VOLUMES))]);
    expect(lists.pages.filter(({ limit }) => limit === 1)).toEqual([]);
    expect(lists.held).toBeGreaterThan(20);
  });

  it.each([
    ['12 kinds', '', 12],
    ['32 kinds that labels make small, though namespaces are listed whole', 'a=b', 32],
  ])('asks for %s at once', async (_, selector, atOnce) => {
    const lists = new KubeLists().add(MAPS, 'ns-01/a');
    const maps = Array.from({ length: 50 }, () => plannedList(MAPS, undefined, selector));
    await open(lists, [plannedList(NAMESPACES), ...maps]);
    expect(lists.mostAtOnce).toBe(atOnce);
  });

  it('keeps on reading first pages where those before were not gone on with', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(50));
    lists.objectBytes = 100_000;
    await open(
      lists,
      Array.from({ length: 60 }, () => plannedList(MAPS, ['ns-01', 'ns-02'])),
    );
    expect(lists.pages).toHaveLength(60);
    expect(lists.pages.filter(({ limit }) => limit === 1)).toEqual([]);
    expect(lists.held).toBe(0);
  });

  it('never leaves the number open because of a kind that the server does not count', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(1));
    lists.isCounting = false;
    expect(await open(lists, [plannedList(MAPS)])).toMatchObject([{ expected: 60 }]);
  });

  it('leaves it open for labels, unless everything is there', async () => {
    const lists = new KubeLists().add(MAPS, ...inEach(2)).add(VOLUMES, 'v');
    const queries = await open(lists, [plannedList(MAPS, undefined, 'a=b'), plannedList(VOLUMES, undefined, 'a=b')]);
    expect(queries.map(({ expected }) => expected)).toEqual([undefined, 1]);
  });
});
