import { describe, expect, it } from 'vitest';
import { ALWAYS_READ } from './filters.ts';
import { NEVER_RESTORED, explainLeftOut, restoreFilters, statusFilter, type LeftOutReason } from './index.ts';

const NAMES = { resolve: (name: string) => ({ cart: 'carts.shop.io' })[name] };

describe('the status of a type', () => {
  it.each<[object | undefined, boolean, boolean]>([
    [undefined, false, false],
    [{}, true, true],
    [{ includedResources: ['cart'] }, true, false],
    [{ excludedResources: ['cart'] }, false, true],
  ])('%j', (restoreStatus, carts, pods) => {
    const isAsked = statusFilter(restoreStatus === undefined ? {} : { restoreStatus }, NAMES);
    expect([isAsked('carts.shop.io'), isAsked('pods')]).toEqual([carts, pods]);
  });
});

describe('an item that another one needs', () => {
  const volume = { groupResource: 'persistentvolumes', name: 'v' };
  it.each<[boolean | undefined, LeftOutReason | undefined, LeftOutReason | undefined]>([
    [undefined, 'clusterScoped', undefined],
    [true, undefined, undefined],
    [false, 'clusterScoped', 'clusterScoped'],
  ])('is let in, though cluster-scoped, unless that is forbidden: %s', (include, collected, additional) => {
    const includeClusterResources = include === undefined ? {} : { includeClusterResources: include };
    const filters = restoreFilters({ includedNamespaces: ['a'], ...includeClusterResources }, NAMES);
    expect(filters.leaveOut(volume)).toBe(collected);
    expect(filters.leaveOutAdditional(volume)).toBe(additional);
  });

  it('is still never restored if its type never is', () => {
    const reason = restoreFilters({}, NAMES).leaveOutAdditional({ groupResource: 'nodes', name: 'n' });
    expect(reason).toBe('neverRestored');
    expect(explainLeftOut('neverRestored')).toMatch(/never restored/);
  });
});

it('never calls a type both always read and never restored: of those, an archive keeps only the names', () => {
  expect(ALWAYS_READ.filter((type) => NEVER_RESTORED.includes(type))).toEqual([]);
});
