import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemCounting, exact, type ItemKey } from '../progress/index.ts';
import {
  RestorePlan,
  restoreFilters,
  type ArchiveKey,
  type Collection,
  type PlanInput,
  type RestoreResource,
  type WorkItem,
} from './index.ts';

const resource = (name: string, ...items: string[]): RestoreResource => ({
  resource: name,
  itemsByNamespace: new Map([['', items.map((item) => ({ targetNamespace: '', name: item }))]]),
  totalItems: items.length,
});
const NAMES = { resolve: () => undefined };
const key = (groupResource: string, name: string): ItemKey => ({ groupResource, name });

function planOf(tiers: RestoreResource[][], more: Partial<PlanInput> = {}, unserved: Collection['unserved'] = []) {
  const counting = new ItemCounting();
  const totalItems = tiers.flat().reduce((sum, { totalItems: n }) => sum + n, 0);
  const plan = new RestorePlan({
    collection: { tiers, unserved, leftOut: [], totalItems, unmatched: [], isNothing: false },
    namespaceMapping: {},
    filters: restoreFilters({}, NAMES),
    inArchive: () => true,
    counting,
    parallel: 2,
    ...more,
  });
  for (const _ of plan.begin());
  return { plan, counting };
}

function take(plan: RestorePlan): WorkItem {
  const next = plan.next();
  if (next === undefined || next === 'wait') throw new Error(`expected an item, got ${String(next)}`);
  return next;
}

describe('the order of work', () => {
  it('is tier by tier, with so many at once, and none of the next tier before all are settled', () => {
    const { plan } = planOf([[resource('a', '1', '2', '3')], [resource('b', '4')]]);
    const first = take(plan);
    const second = take(plan);
    expect([first.target.name, second.target.name]).toEqual(['1', '2']);
    expect(plan.next()).toBe('wait');
    plan.settle(first.target, 'created');
    const third = take(plan);
    plan.settle(second.target, 'failed');
    expect(plan.next()).toBe('wait');
    plan.settle(third.target, 'created');
    const fourth = take(plan);
    expect(fourth.target.name).toBe('4');
    plan.settle(fourth.target, 'skipped');
    expect(plan.next()).toBeUndefined();
  });

  it('settles at once what the cluster does not serve', () => {
    const { plan, counting } = planOf([], {}, [{ ...resource('carts', '1', '2'), hint: '' }]);
    expect(plan.next()).toBeUndefined();
    expect(counting.measure()).toEqual({ unit: 'items', done: 2, total: exact(2) });
    expect(counting.counts().skipped).toBe(2);
  });
});

describe('additional items', () => {
  it('that were collected are pulled forward and restored once', () => {
    const { plan, counting } = planOf([[resource('pods', 'p')], [resource('pvcs', 'c')]]);
    const pod = take(plan);
    const claim = plan.claim(key('pvcs', 'c'), pod.target);
    expect(claim.kind).toBe('restore');
    plan.settleClaimed(key('pvcs', 'c'), 'created');
    expect(plan.claim(key('pvcs', 'c'), pod.target)).toEqual({ kind: 'done' });
    plan.settle(pod.target, 'created');
    expect(plan.next()).toBeUndefined();
    expect(counting.measure()).toEqual({ unit: 'items', done: 2, total: exact(2) });
  });

  it('that were not collected make the total grow', () => {
    const { plan, counting } = planOf([[resource('pods', 'p')]]);
    const pod = take(plan);
    expect(plan.claim(key('classes', 'x'), pod.target).kind).toBe('restore');
    expect(counting.measure().total).toEqual(exact(2));
  });

  it('that another one is at are waited for', () => {
    const { plan } = planOf([[resource('pods', 'p', 'q')]]);
    const [p, q] = [take(plan), take(plan)];
    expect(plan.claim(key('pvcs', 'c'), p.target).kind).toBe('restore');
    expect(plan.claim(key('pvcs', 'c'), q.target)).toEqual({ kind: 'wait', target: key('pvcs', 'c') });
    plan.settleClaimed(key('pvcs', 'c'), 'created');
    expect(plan.claim(key('pvcs', 'c'), q.target)).toEqual({ kind: 'done' });
  });

  it('that need each other do not wait in a circle', () => {
    const { plan } = planOf([[resource('pods', 'p', 'q')]]);
    const [p, q] = [take(plan), take(plan)];
    expect(plan.claim(q.source, p.target).kind).toBe('wait');
    expect(plan.claim(p.source, q.target)).toEqual({ kind: 'done' });
    expect(plan.claim(p.source, p.target)).toEqual({ kind: 'done' });
  });

  it('that need each other over three do not wait in a circle', () => {
    const { plan } = planOf([[resource('pods', 'p', 'q')]]);
    const [p, q] = [take(plan), take(plan)];
    const c = key('pvcs', 'c');
    expect(plan.claim(c, p.target).kind).toBe('restore');
    expect(plan.claim(q.source, c).kind).toBe('wait');
    expect(plan.claim(p.source, q.target)).toEqual({ kind: 'done' });
  });

  it('are refused with the reason when the filters leave them out, or when they are missing', () => {
    const filters = restoreFilters({ excludedResources: ['pvcs'], includedNamespaces: ['a'] }, NAMES);
    const inArchive = ({ name }: ArchiveKey) => name === 'there';
    const { plan, counting } = planOf([[resource('pods', 'p')]], { filters, inArchive });
    const { target } = take(plan);
    expect(plan.claim(key('pvcs', 'there'), target)).toEqual({ kind: 'leftOut', reason: 'resourceExcluded' });
    expect(plan.claim({ ...key('cms', 'there'), namespace: 'b' }, target).kind).toBe('leftOut');
    expect(plan.claim(key('pvs', 'gone'), target)).toEqual({ kind: 'missing' });
    // Cluster-scoped items are included, though only some namespaces are restored.
    expect(plan.claim(key('pvs', 'there'), target).kind).toBe('restore');
    // A namespace is created whatever the filters and the archive say.
    expect(plan.claim(key('namespaces', 'b'), target).kind).toBe('restore');
    expect(counting.measure().total).toEqual(exact(3));
  });

  it('go to the namespace that theirs is mapped to', () => {
    const { plan } = planOf([[resource('pods', 'p')]], { namespaceMapping: { a: 'x' } });
    const { target } = take(plan);
    const source = { ...key('pvcs', 'c'), namespace: 'a' };
    expect(plan.claim(source, target)).toEqual({
      kind: 'restore',
      item: { source, target: { ...key('pvcs', 'c'), namespace: 'x' } },
    });
    expect(plan.claim(key('namespaces', 'a'), target)).toMatchObject({ item: { target: { name: 'x' } } });
  });
});

describe('items that are held back', () => {
  const inNamespaces = (name: string, items: Record<string, string[]>): RestoreResource => ({
    resource: name,
    itemsByNamespace: new Map(
      Object.entries(items).map(([namespace, names]) => [
        namespace,
        names.map((one) => ({ targetNamespace: namespace, name: one })),
      ]),
    ),
    totalItems: Object.values(items).flat().length,
  });
  const tiers = () => [
    [inNamespaces('pods', { a: ['p1', 'p2', 'p3'], b: ['q'] })],
    [inNamespaces('replicasets', { a: ['r'] })],
    [inNamespaces('services', { a: ['s'], b: ['t'] })],
  ];
  const filling = new Set<string>();
  const holds = {
    concern: ({ target }: WorkItem) => target.groupResource !== 'services',
    isHeld: ({ target }: WorkItem) => filling.has(target.namespace ?? ''),
  };

  it('take no place, and hold up neither others nor later types', () => {
    filling.add('a');
    const { plan } = planOf(tiers(), { parallel: 1, holds });
    const done = ['q', 's', 't'].map((expected) => {
      const item = take(plan);
      plan.settle(item.target, 'created');
      return [item.target.name, expected];
    });
    expect(done.every(([name, expected]) => name === expected)).toBe(true);
    expect([plan.next(), plan.held, plan.isHeldUp]).toEqual(['wait', 4, true]);
    filling.clear();
    expect(plan.next()).not.toBe('wait');
    expect(plan.isHeldUp).toBe(false);
  });

  it('come in the order of their types, and nobody of their namespace comes before them', () => {
    filling.add('a');
    const { plan } = planOf(tiers(), { parallel: 3, holds });
    const q = take(plan);
    expect(plan.next()).toBe('wait');
    filling.clear();
    plan.look();
    const [first, second] = [take(plan), take(plan)];
    expect([first.target.name, second.target.name, plan.next()]).toEqual(['p1', 'p2', 'wait']);
    plan.settle(q.target, 'created');
    const third = take(plan);
    expect(third.target.name).toBe('p3');
    for (const { target } of [first, second]) plan.settle(target, 'created');
    // The replica set would start pods of its own.
    expect(plan.next()).toBe('wait');
    plan.settle(third.target, 'failed');
    expect(take(plan).target.name).toBe('r');
  });

  it('begin when nothing comes any more that they could wait for', () => {
    const never = { concern: () => true, isHeld: (_: WorkItem, isLast: boolean) => !isLast };
    const { plan } = planOf([[resource('pods', 'p')]], { holds: never });
    const { target } = take(plan);
    plan.settle(target, 'created');
    expect(plan.next()).toBeUndefined();
  });

  it('are restored once, also when another one needs them meanwhile', () => {
    filling.add('a');
    const { plan, counting } = planOf(tiers(), { parallel: 1, holds });
    const q = take(plan);
    const source = { groupResource: 'pods', namespace: 'a', name: 'p1' };
    expect(plan.claim(source, q.target).kind).toBe('restore');
    plan.settleClaimed(source, 'created');
    filling.clear();
    plan.settle(q.target, 'created');
    const names: string[] = [];
    for (let item = plan.next(); item !== undefined; item = plan.next()) {
      if (item === 'wait') throw new Error('nothing is left to wait for');
      names.push(item.target.name);
      plan.settle(item.target, 'created');
    }
    expect(names).toEqual(['p2', 'p3', 'r', 's', 't']);
    expect(counting.measure()).toEqual({ unit: 'items', done: 7, total: exact(7) });
  });

  it('however claims are filled, everything is restored once and nobody overtakes in a namespace', () => {
    const kinds = ['pods', 'replicasets', 'deployments'];
    const namespaces = ['a', 'b', 'c'];
    const some = fc.record(Object.fromEntries(namespaces.map((name) => [name, fc.nat(3)])));
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 3, maxLength: 3 }),
        fc.uniqueArray(fc.constantFrom(...namespaces)),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(1000)),
        (counts, held, parallel, dice) => {
          const open = new Set(held);
          const resources = counts.map((of, at) =>
            inNamespaces(
              kinds[at]!,
              Object.fromEntries(
                Object.entries(of).map(([name, n]) => [name, Array.from({ length: n }, (_, i) => `${i}`)]),
              ),
            ),
          );
          const { plan, counting } = planOf(
            resources.map((one) => [one]),
            {
              parallel,
              holds: { concern: () => true, isHeld: ({ target }) => open.has(target.namespace ?? '') },
            },
          );
          const running: WorkItem[] = [];
          const seen: WorkItem[] = [];
          const roll = (sides: number): number => Number(dice.next().value) % sides;
          for (let steps = 0; steps < 500; steps += 1) {
            const next = plan.next();
            if (next === undefined) break;
            if (next !== 'wait') {
              expect(open.has(next.target.namespace ?? '')).toBe(false);
              const rank = kinds.indexOf(next.target.groupResource);
              const isBefore = ({ target }: WorkItem): boolean =>
                target.namespace === next.target.namespace && kinds.indexOf(target.groupResource) < rank;
              expect(running.some(isBefore)).toBe(false);
              running.push(next);
              seen.push(next);
              expect(running.length).toBeLessThanOrEqual(parallel);
            } else if (running.length > 0 && roll(2) === 0) {
              plan.settle(running.splice(roll(running.length), 1)[0]!.target, 'created');
            } else if (open.size > 0) {
              open.delete([...open][roll(open.size)]!);
              plan.look();
            } else plan.settle(running.splice(roll(running.length), 1)[0]!.target, 'created');
          }
          expect(plan.next()).toBeUndefined();
          const total = counts.flatMap((of) => Object.values(of)).reduce((sum, n) => sum + n, 0);
          expect(seen).toHaveLength(total);
          expect(counting.measure()).toEqual({ unit: 'items', done: total, total: exact(total) });
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('laws', () => {
  it('however workers and needs interleave, everything is restored once and nobody waits for ever', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const needs = fc.dictionary(fc.constantFrom(...names), fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }));
    fc.assert(
      fc.property(needs, fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat(1000)), (needed, parallel, dice) => {
        const { plan, counting } = planOf([[resource('x', 'a', 'b')], [resource('x', 'c', 'd')]], { parallel });
        const restored: string[] = [];
        // Each worker is a stack of items: the last one is restored on behalf of the one below it.
        interface Frame {
          target: ItemKey;
          left: string[];
          waiting?: ItemKey;
        }
        const frame = (target: ItemKey): Frame => ({ target, left: [...(needed[target.name] ?? [])] });
        const workers: Frame[][] = [];
        const step = (stack: Frame[]): void => {
          const top = stack.at(-1)!;
          if (top.waiting !== undefined) {
            if (!counting.isSettled(top.waiting)) return;
            delete top.waiting;
          }
          const next = top.left.shift();
          if (next !== undefined) {
            const claim = plan.claim(key('x', next), top.target);
            if (claim.kind === 'restore') stack.push(frame(claim.item.target));
            else if (claim.kind === 'wait') top.waiting = claim.target;
            return;
          }
          restored.push(top.target.name);
          stack.pop();
          if (stack.length === 0) plan.settle(top.target, 'created');
          else plan.settleClaimed(top.target, 'created');
        };
        for (let steps = 0; steps < 1000; steps += 1) {
          const next = plan.next();
          if (next === undefined) break;
          if (next !== 'wait') workers.push([frame(next.target)]);
          const busy = workers.filter((stack) => stack.length > 0);
          expect(busy.length).toBeLessThanOrEqual(parallel);
          if (busy.length > 0) step(busy[Number(dice.next().value) % busy.length]!);
        }
        expect(plan.next()).toBeUndefined();
        expect(new Set(restored).size).toBe(restored.length);
        expect(restored).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
        expect(counting.measure()).toEqual({ unit: 'items', done: restored.length, total: exact(restored.length) });
      }),
      { numRuns: 500 },
    );
  });
});
