import { describe, expect, it } from 'vitest';
import { going, NOW, pod } from '../../../../test/pocket/sample-objects.ts';
import type { DaemonSet, Node, Pod } from '../kinds/index.ts';
import { misfitOf } from '../node-fit.ts';
import { daemonPod, daemonStatus, nodeOf, planDaemonSet, type DaemonState } from './daemon-set-plan.ts';

const node = (name: string, spec: Node['spec'] = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { disk: 'fast' } },
  spec,
});
const set = (spec: Partial<DaemonSet['spec']> = {}): DaemonSet => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'logs', namespace: 'shop', uid: 'u', generation: 2 },
  spec: {
    selector: { matchLabels: { app: 'logs' } },
    template: { metadata: { labels: { app: 'logs' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    ...spec,
  },
});
const member = (name: string, nodeName: string, hash = 'h1', change: Parameters<typeof pod>[1] = {}): Pod =>
  pod(name, {
    ...change,
    spec: { containers: [], nodeName },
    metadata: { labels: { 'controller-revision-hash': hash }, ...change.metadata },
  });
const plan = (change: Partial<DaemonState>) => {
  const { createOn, remove } = planDaemonSet({
    set: set(),
    pods: [],
    nodes: [node('n1')],
    hash: 'h1',
    now: NOW,
    ...change,
  });
  return { createOn, remove: remove.map(({ metadata }) => metadata.name) };
};

describe('planDaemonSet', () => {
  it('puts one pod on every node that fits', () => {
    const picky = set({ template: { spec: { containers: [], nodeSelector: { disk: 'fast' } } } });
    const slow = { ...node('n2'), metadata: { name: 'n2' } };
    expect(plan({ set: picky, nodes: [node('n1'), slow] })).toEqual({ createOn: ['n1'], remove: [] });
    expect(plan({ pods: [member('a', 'n1')] })).toEqual({ createOn: [], remove: [] });
  });

  it('stays on cordoned nodes', () => {
    expect(plan({ nodes: [node('n1', { unschedulable: true })] }).createOn).toEqual(['n1']);
  });

  it('takes away what is too much, has ended or no longer fits', () => {
    const pods = [
      member('a', 'n1'),
      member('b', 'n1', 'h1', { metadata: { creationTimestamp: '2026-01-01T11:30:00Z' } }),
    ];
    expect(plan({ pods }).remove).toEqual(['b']);
    expect(plan({ pods: [member('a', 'n1', 'h1', { status: { phase: 'Failed' } })] })).toEqual({
      createOn: ['n1'],
      remove: ['a'],
    });
    const tainted = node('n1', { taints: [{ key: 'x', effect: 'NoSchedule' }] });
    expect(plan({ nodes: [tainted], pods: [member('a', 'n1')] }).remove).toEqual(['a']);
  });

  it('waits for a pod that is leaving before it makes another', () => {
    expect(plan({ pods: [member('a', 'n1', 'h1', { metadata: going })] })).toEqual({ createOn: [], remove: [] });
  });

  it('updates one node at a time, unless the old pod is of no use anyway', () => {
    const nodes = [node('n1'), node('n2')];
    expect(plan({ nodes, pods: [member('a', 'n1'), member('b', 'n2')], hash: 'h2' }).remove).toHaveLength(1);
    expect(
      plan({ nodes, pods: [member('a', 'n1'), member('b', 'n2', 'h2', { ready: false })], hash: 'h2' }).remove,
    ).toEqual([]);
    expect(plan({ nodes, pods: [member('a', 'n1', 'h1', { ready: false })], hash: 'h2' }).remove).toEqual(['a']);
    const onDelete = set({ updateStrategy: { type: 'OnDelete' } });
    expect(plan({ set: onDelete, pods: [member('a', 'n1')], hash: 'h2' }).remove).toEqual([]);
  });
});

it('daemonPod is meant for its node alone', () => {
  const made = daemonPod({ set: set(), hash: 'h1' }, 'n1') as unknown as Pod;
  expect(nodeOf(made)).toBe('n1');
  expect(misfitOf(made.spec, node('n1'))).toBeUndefined();
  expect(misfitOf(made.spec, node('n2'))).toEqual({ misfit: 'nodeAffinity' });
});

it('daemonStatus counts nodes, not pods', () => {
  const pods = [member('a', 'n1', 'h2'), member('b', 'n2', 'h1', { ready: false })];
  const state = { set: set(), pods, nodes: [node('n1'), node('n2'), node('n3')], hash: 'h2', now: NOW };
  expect(daemonStatus(state).status).toEqual({
    currentNumberScheduled: 2,
    numberMisscheduled: 0,
    desiredNumberScheduled: 3,
    numberReady: 1,
    observedGeneration: 2,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
  });
});
