import { describe, expect, it } from 'vitest';
import { ItemCounting } from '../../../../core/progress/index.ts';
import { RestorePlan } from '../../../../core/restore/index.ts';
import { PlanRunner } from './plan-runner.ts';

function planOf(names: readonly string[], parallel: number): RestorePlan {
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
});
