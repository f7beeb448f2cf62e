import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deployment, replicaSet } from '../../../../test/pocket/sample-objects.ts';
import type { ReplicaSet } from '../kinds/index.ts';
import { limitsOf, newReplicas, pausedStep, recreateStep, replicasOf, rollingStep } from './deployment-scale.ts';

const rolling = (maxSurge: number | string, maxUnavailable: number | string, replicas = 10) =>
  deployment({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } });

describe('limitsOf', () => {
  it.each([
    ['25%', '25%', { maxSurge: 3, maxUnavailable: 2 }],
    [0, 0, { maxSurge: 0, maxUnavailable: 1 }],
    ['0%', '1%', { maxSurge: 0, maxUnavailable: 1 }],
    [2, 50, { maxSurge: 2, maxUnavailable: 10 }],
  ])('surge %s, unavailable %s of ten', (surge, unavailable, expected) => {
    expect(limitsOf(rolling(surge, unavailable))).toEqual(expected);
  });
});

describe('rollingStep', () => {
  it('first lets the new one grow into the surge', () => {
    const sets = { current: replicaSet('new', { replicas: 0 }), old: [replicaSet('old', { replicas: 10 })] };
    expect(rollingStep(rolling(3, 2), sets)).toEqual(new Map([['new', 3]]));
  });

  it('then shrinks the old ones, pods that are not well first', () => {
    const sets = {
      current: replicaSet('new', { replicas: 3, available: 0 }),
      old: [replicaSet('old', { replicas: 10, available: 7 })],
    };
    expect(rollingStep(rolling(3, 2), sets)).toEqual(new Map([['old', 8]]));
  });

  it('never gives up pods that are needed', () => {
    const sets = {
      current: replicaSet('new', { replicas: 3, available: 0 }),
      old: [replicaSet('old', { replicas: 8, available: 8 })],
    };
    expect(rollingStep(rolling(1, 2), sets)).toEqual(new Map());
  });

  it('follows a smaller deployment at once', () => {
    const sets = { current: replicaSet('new', { replicas: 10 }), old: [] };
    expect(rollingStep(rolling(1, 1, 4), sets)).toEqual(new Map([['new', 4]]));
  });
});

/** The pods of a set start after the step, as many as its spec says. */
function settled(set: ReplicaSet, replicas: number): ReplicaSet {
  return replicaSet(set.metadata.name, { replicas });
}

describe('a rollout, step by step', () => {
  it('always ends with only new pods, within the limits at every step', () => {
    const numbers = fc.record({
      wanted: fc.integer({ min: 0, max: 12 }),
      surge: fc.integer({ min: 0, max: 4 }),
      unavailable: fc.integer({ min: 0, max: 4 }),
      olds: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(numbers, ({ wanted, surge, unavailable, olds }) => {
        const target = rolling(surge, unavailable, wanted);
        const { maxSurge, maxUnavailable } = limitsOf(target);
        let current = replicaSet('new', { replicas: 0 });
        let old = olds.map((replicas, i) => replicaSet(`old-${i}`, { replicas }));
        const startTotal = old.reduce((sum, set) => sum + replicasOf(set), 0);
        for (let step = 0; step < 100; step += 1) {
          const scaling = rollingStep(target, { current, old });
          if (scaling.size === 0) break;
          current = settled(current, scaling.get('new') ?? replicasOf(current));
          old = old.map((set) => settled(set, scaling.get(set.metadata.name) ?? replicasOf(set)));
          const total = replicasOf(current) + old.reduce((sum, set) => sum + replicasOf(set), 0);
          expect(total).toBeLessThanOrEqual(Math.max(startTotal, wanted + maxSurge));
          expect(total).toBeGreaterThanOrEqual(Math.min(startTotal, wanted - maxUnavailable));
        }
        expect(replicasOf(current)).toBe(wanted);
        expect(old.map(replicasOf)).toEqual(old.map(() => 0));
      }),
    );
  });
});

describe('newReplicas', () => {
  it('takes all at once when nothing is old, and when the strategy is Recreate', () => {
    expect(newReplicas(rolling(1, 0), { current: undefined, old: [] })).toBe(10);
    const recreate = deployment({ replicas: 4, strategy: { type: 'Recreate' } });
    expect(newReplicas(recreate, { current: undefined, old: [replicaSet('old', { replicas: 4 })] })).toBe(4);
  });

  it('starts with nothing when there is no room', () => {
    expect(newReplicas(rolling(0, 1), { current: undefined, old: [replicaSet('old', { replicas: 10 })] })).toBe(0);
  });
});

describe('recreateStep', () => {
  const target = deployment({ replicas: 2, strategy: { type: 'Recreate' } });
  it('ends all old pods before it makes new ones', () => {
    const old = [replicaSet('a', { replicas: 1 }), replicaSet('b', { replicas: 2 }), replicaSet('c', { replicas: 0 })];
    expect(recreateStep(target, { current: replicaSet('new', { replicas: 0 }), old })).toEqual(
      new Map([
        ['a', 0],
        ['b', 0],
      ]),
    );
    const empty = [replicaSet('a', { replicas: 0 })];
    expect(recreateStep(target, { current: replicaSet('new', { replicas: 0 }), old: empty })).toEqual(
      new Map([['new', 2]]),
    );
    expect(recreateStep(target, { current: undefined, old: empty })).toEqual(new Map());
  });
});

describe('pausedStep', () => {
  it('scales the largest one and leaves the others', () => {
    const target = deployment({ replicas: 7, paused: true });
    const sets = { current: replicaSet('new', { replicas: 1 }), old: [replicaSet('old', { replicas: 4 })] };
    expect(pausedStep(target, sets)).toEqual(new Map([['old', 6]]));
    expect(pausedStep(deployment({ replicas: 5, paused: true }), sets)).toEqual(new Map());
    expect(pausedStep(target, { current: undefined, old: [] })).toEqual(new Map());
  });
});
