import { describe, expect, it } from 'vitest';
import { ItemCounting } from '../../../../core/progress/index.ts';
import { RestorePlan, type Holds } from '../../../../core/restore/index.ts';
import { PlanRunner } from './plan-runner.ts';

function planOf(names: readonly string[], parallel: number, holds?: Holds): RestorePlan {
  const resource = {
    resource: 'configmaps',
    totalItems: names.length,
    itemsByNamespace: new Map([['shop', names.map((name) => ({ targetNamespace: 'shop', name }))]]),
  };
  const nothing = { leftOut: [], unserved: [], unmatched: [], isNothing: false };
  const collection = { tiers: [[resource]], totalItems: names.length, ...nothing };
  return new RestorePlan({
    collection: collection,
    namespaceMapping: {},
    filters: { leaveOutAdditional: () => undefined } as never,
    inArchive: () => true,
    counting: new ItemCounting(),
    parallel,
    holds,
  });
}
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('walking a plan', () => {
  it('begins no further item after a cancel, also in the same tier', async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    const runner = new PlanRunner(planOf(NAMES, 2), {
      restore: async ({ target }) => {
        begun.push(target.name);
        if (begun.length === 2) stop.abort(new Error('canceled'));
        await new Promise((resolve) => setImmediate(resolve));
        return 'created';
      },
      onSettled: () => undefined,
    });
    await expect(runner.run(stop.signal)).rejects.toThrow('canceled');
    expect(begun).toEqual(['a', 'b']);
  });

  it('waits for what is under way, and only then ends', async () => {
    const stop = new AbortController();
    let isUnderWay = false;
    const runner = new PlanRunner(planOf(NAMES, 1), {
      restore: async () => {
        isUnderWay = true;
        stop.abort(new Error('canceled'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        isUnderWay = false;
        return 'created';
      },
      onSettled: () => undefined,
    });
    await expect(runner.run(stop.signal)).rejects.toThrow('canceled');
    expect(isUnderWay).toBe(false);
  });

  it('restores others in the only place while one is held back, and hears when it may begin', async () => {
    let isFilling = true;
    const begun: string[] = [];
    const plan = planOf(NAMES, 1, {
      concern: ({ target }) => target.name === 'a',
      isHeld: () => isFilling,
    });
    const othersDone = Promise.withResolvers<undefined>();
    const runner = new PlanRunner(plan, {
      restore: ({ target }) => {
        begun.push(target.name);
        return Promise.resolve('created' as const);
      },
      onSettled: ({ target }) => {
        if (target.name === 'f') othersDone.resolve(undefined);
      },
    });
    const run = runner.run(new AbortController().signal);
    await othersDone.promise;
    expect(begun).toEqual(['b', 'c', 'd', 'e', 'f']);
    isFilling = false;
    runner.look();
    await run;
    expect(begun.at(-1)).toBe('a');
  });

  it('ends at once when it is stopped while all that is left is held back', async () => {
    const stop = new AbortController();
    const plan = planOf(NAMES, 1, { concern: () => true, isHeld: () => true });
    const runner = new PlanRunner(plan, {
      restore: () => Promise.reject(new Error('it must not begin')),
      onSettled: () => undefined,
    });
    const run = runner.run(stop.signal);
    stop.abort(new Error('canceled'));
    await expect(run).rejects.toThrow('canceled');
  });
});
