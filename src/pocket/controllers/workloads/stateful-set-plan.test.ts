import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { going, NOW, pod } from '../../../../test/pocket/sample-objects.ts';
import type { Pod, StatefulSet } from '../kinds/index.ts';
import { planStatefulSet, statefulStatus, type StatefulState } from './stateful-set-plan.ts';

const set = (spec: Partial<StatefulSet['spec']> = {}, status?: StatefulSet['status']): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'shop', uid: 'u', generation: 1 },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});
const member = (ordinal: number, revision = 'r1', change: Parameters<typeof pod>[1] = {}): Pod =>
  pod(`db-${ordinal}`, {
    ...change,
    metadata: { labels: { 'controller-revision-hash': revision }, ...change.metadata },
  });
const plan = (change: Partial<StatefulState>) => {
  const { create, remove } = planStatefulSet({
    set: set(),
    pods: [],
    current: 'r1',
    update: 'r1',
    now: NOW,
    ...change,
  });
  return {
    create: create.map(({ ordinal, revision }) => [ordinal, revision]),
    remove: remove.map((one) => one.metadata.name),
  };
};

describe('planStatefulSet', () => {
  it('makes one pod after the other, each when the one before is ready', () => {
    expect(plan({})).toEqual({ create: [[0, 'r1']], remove: [] });
    expect(plan({ pods: [member(0, 'r1', { ready: false })] })).toEqual({ create: [], remove: [] });
    expect(plan({ pods: [member(0)] })).toEqual({ create: [[1, 'r1']], remove: [] });
  });

  it('makes all at once when it is parallel', () => {
    const parallel = set({ podManagementPolicy: 'Parallel' });
    expect(plan({ set: parallel, pods: [member(1, 'r1', { ready: false })] }).create).toEqual([
      [0, 'r1'],
      [2, 'r1'],
    ]);
  });

  it('counts from where the set begins', () => {
    expect(plan({ set: set({ ordinals: { start: 5 }, replicas: 1 }) }).create).toEqual([[5, 'r1']]);
  });

  it('removes the highest first, and waits until it is gone', () => {
    const pods = [member(0), member(1), member(2)];
    expect(plan({ set: set({ replicas: 1 }), pods }).remove).toEqual(['db-2']);
    const leaving = [member(0), member(1), member(2, 'r1', { metadata: going })];
    expect(plan({ set: set({ replicas: 1 }), pods: leaving }).remove).toEqual([]);
  });

  it('replaces a pod that has ended', () => {
    expect(plan({ pods: [member(0, 'r1', { status: { phase: 'Failed' } }), member(1), member(2)] }).remove).toEqual([
      'db-0',
    ]);
  });

  it('updates from the last pod down to the partition', () => {
    const pods = [member(0), member(1), member(2)];
    expect(plan({ pods, update: 'r2' }).remove).toEqual(['db-2']);
    expect(plan({ pods: [member(0), member(1), member(2, 'r2')], update: 'r2' }).remove).toEqual(['db-1']);
    expect(plan({ pods: [member(0), member(1), member(2, 'r2', { ready: false })], update: 'r2' }).remove).toEqual([]);
    const partitioned = set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    expect(plan({ set: partitioned, pods: [member(0), member(1), member(2, 'r2')], update: 'r2' }).remove).toEqual([]);
    expect(plan({ set: set({ updateStrategy: { type: 'OnDelete' } }), pods, update: 'r2' }).remove).toEqual([]);
  });

  it('gives a pod below the edge of an update what it had', () => {
    expect(plan({ pods: [member(1), member(2, 'r2')], update: 'r2' }).create).toEqual([[0, 'r1']]);
    expect(plan({ pods: [member(0), member(2, 'r2')], update: 'r2' }).create).toEqual([[1, 'r2']]);
    expect(plan({ pods: [member(0), member(1)], update: 'r2' }).create).toEqual([[2, 'r2']]);
    const partitioned = set({ updateStrategy: { rollingUpdate: { partition: 1 } } });
    expect(plan({ set: partitioned, pods: [], update: 'r2' }).create).toEqual([[0, 'r1']]);
  });
});

describe('statefulStatus', () => {
  it('counts both revisions and finishes the update when all are new and ready', () => {
    const state = { set: set(), current: 'r1', update: 'r2', now: NOW };
    expect(statefulStatus({ ...state, pods: [member(0), member(1), member(2, 'r2')] }).status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: 'r1',
      updateRevision: 'r2',
    });
    expect(statefulStatus({ ...state, pods: [0, 1, 2].map((i) => member(i, 'r2')) }).status).toMatchObject({
      currentReplicas: 3,
      currentRevision: 'r2',
    });
  });
});

it('a set always gets to where it should be, whatever it starts from, and then stays', () => {
  const start = fc.record({
    replicas: fc.integer({ min: 0, max: 5 }),
    isParallel: fc.boolean(),
    existing: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 6 }),
    revisions: fc.array(fc.constantFrom('r1', 'r2'), { minLength: 8, maxLength: 8 }),
  });
  fc.assert(
    fc.property(start, ({ replicas, isParallel, existing, revisions }) => {
      const target = set({ replicas, podManagementPolicy: isParallel ? 'Parallel' : 'OrderedReady' });
      let pods = existing.map((ordinal) => member(ordinal, revisions[ordinal]));
      let status: StatefulSet['status'] = {};
      for (let step = 0; step < 100; step += 1) {
        const state: StatefulState = {
          set: { ...target, status },
          pods,
          current: status.currentRevision ?? 'r1',
          update: 'r2',
          now: NOW,
        };
        const { create, remove } = planStatefulSet(state);
        if (!isParallel) expect(create.length + remove.length).toBeLessThanOrEqual(1);
        status = statefulStatus(state).status;
        if (create.length + remove.length === 0) break;
        pods = [
          ...pods.filter((one) => !remove.includes(one)),
          ...create.map(({ ordinal, revision }) => member(ordinal, revision)),
        ];
      }
      const names = pods.map((one) => one.metadata.name).sort();
      expect(names).toEqual(Array.from({ length: replicas }, (_, i) => `db-${i}`));
      expect(new Set(pods.map((one) => one.metadata.labels?.['controller-revision-hash']))).toEqual(
        new Set(replicas > 0 ? ['r2'] : []),
      );
    }),
  );
});
