import { describe, expect, it } from 'vitest';
import { going, NOW, pod } from '../../../test/pocket/sample-objects.ts';
import type { Claim, Node, Pod, StorageClass } from '../controllers/kinds/index.ts';
import { nextStage } from './simulated/kubelet.ts';
import { simulatedStatus, type Stage } from './simulated/kubelet-status.ts';
import { decide, type SchedulerView } from './scheduler-plan.ts';

const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'pocket', labels: {} } };
const claim = (phase: string, annotations: Record<string, string> = {}): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'shop', annotations },
  spec: { storageClassName: 'x', ...(phase === 'Bound' ? { volumeName: 'v' } : {}) },
  status: { phase },
});
const lazy: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'x' },
  provisioner: 'p',
  volumeBindingMode: 'WaitForFirstConsumer',
};
const view = (change: Partial<SchedulerView> = {}): SchedulerView => ({
  node,
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  areSizesReal: true,
  ...change,
});
const fresh = (spec: Partial<Pod['spec']> = {}): Pod => ({
  ...pod('p'),
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  status: { phase: 'Pending' },
});
const mounting = fresh({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] });

describe('decide', () => {
  it('binds a pod that fits', () => {
    expect(decide(fresh(), view())).toEqual({ kind: 'bind' });
  });

  it.each([
    ['gates', fresh({ schedulingGates: [{ name: 'g' }] }), view(), /^SchedulingGated: .*non-empty scheduling gates/],
    ['no node', fresh(), view({ node: undefined }), /^Unschedulable: no nodes available to schedule pods$/],
    [
      'a selector',
      fresh({ nodeSelector: { a: 'b' } }),
      view(),
      "Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    ],
    ['a claim that is not there', mounting, view(), /^Unschedulable: .*persistentvolumeclaim "data" not found/],
    [
      'a claim that is not bound',
      mounting,
      view({ claim: () => claim('Pending') }),
      /^Unschedulable: .*pod has unbound immediate PersistentVolumeClaims/,
    ],
    [
      'a claim that is going',
      mounting,
      view({ claim: () => ({ ...claim('Bound'), metadata: { name: 'data', ...going } }) }),
      /^Unschedulable: .*is being deleted/,
    ],
  ])('waits for %s', (_name, one, seen, why) => {
    const decision = decide(one, seen);
    expect(decision.kind === 'wait' ? `${decision.reason}: ${decision.message}` : decision.kind).toMatch(why);
  });

  it('waits where the whole node has not as much as a pod asks for, unless nothing runs', () => {
    const large = fresh({ containers: [{ name: 'c', resources: { requests: { cpu: '5' } } }] });
    const small = { ...node, status: { allocatable: { cpu: '4', memory: '1Gi' } } };
    expect(decide(large, view({ node: small }))).toMatchObject({
      kind: 'wait',
      message: expect.stringContaining('1 Insufficient cpu.') as string,
    });
    expect(decide(large, view({ node: small, areSizesReal: false }))).toEqual({ kind: 'bind' });
  });

  it('binds when the claim is bound, but not where its volume is not', () => {
    expect(decide(mounting, view({ claim: () => claim('Bound') }))).toEqual({ kind: 'bind' });
    const elsewhere = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }],
          },
        },
      },
    };
    expect(decide(mounting, view({ claim: () => claim('Bound'), volume: () => elsewhere }))).toMatchObject({
      kind: 'wait',
      reason: 'Unschedulable',
    });
  });

  it('tells a claim that waits for its first consumer which node, once', () => {
    const waiting = view({ claim: () => claim('Pending'), storageClass: () => lazy });
    expect(decide(mounting, waiting)).toMatchObject({ kind: 'selectNode', claims: [{ metadata: { name: 'data' } }] });
    const told = claim('Pending', { 'volume.kubernetes.io/selected-node': 'pocket' });
    expect(decide(mounting, { ...waiting, claim: () => told })).toEqual({ kind: 'selectNode', claims: [] });
  });
});

describe('the life of a pod', () => {
  const live = (start: Pod): { stages: Stage[]; end: Pod } => {
    const stages: Stage[] = [];
    let current = start;
    for (let stage = nextStage(current); stage !== undefined; stage = nextStage(current)) {
      stages.push(stage);
      expect(stages.length).toBeLessThan(10);
      current = { ...current, status: simulatedStatus(current, stage, { now: NOW, podIP: '10.244.0.7' }) };
    }
    return { stages, end: current };
  };
  const conditions = (one: Pod) =>
    Object.fromEntries((one.status?.conditions ?? []).map(({ type, status }) => [type, status]));

  it('is created, then runs and is ready', () => {
    const { stages, end } = live(fresh());
    expect(stages).toEqual(['creating', 'running']);
    expect(end.status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.7',
      podIPs: [{ ip: '10.244.0.7' }],
      hostIP: '127.0.0.1',
    });
    expect(conditions(end)).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
    expect(end.status?.containerStatuses).toMatchObject([
      { name: 'c', ready: true, started: true, state: { running: {} } },
    ]);
  });

  it('waits as a kubelet waits while it is created', () => {
    const creating = simulatedStatus(fresh({ initContainers: [{ name: 'i' }] }), 'creating', { now: NOW, podIP: '' });
    expect(creating).toMatchObject({
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'PodInitializing' } } }],
      containerStatuses: [{ name: 'c', ready: false, state: { waiting: { reason: 'PodInitializing' } } }],
    });
    expect(creating.podIP).toBeUndefined();
  });

  it('ends its init containers and keeps its sidecars', () => {
    const { end } = live(fresh({ initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] }));
    expect(end.status?.initContainerStatuses).toMatchObject([
      { name: 'i', ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      { name: 's', ready: true, started: true, state: { running: {} } },
    ]);
  });

  it('succeeds when a job owns it', () => {
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true };
    const { stages, end } = live({
      ...fresh({ restartPolicy: 'Never' }),
      metadata: { name: 'p', uid: 'u', ownerReferences: [owner] },
    });
    expect(stages).toEqual(['creating', 'running', 'succeeded']);
    expect(end.status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { exitCode: 0 } } }],
    });
    expect(conditions(end)).toMatchObject({ Ready: 'False', Initialized: 'True' });
  });

  it('is refused when Headway itself started it: that must do real work', () => {
    const { stages, end } = live({ ...fresh(), metadata: { name: 'p', labels: { 'headway.io/pod': 'mover' } } });
    expect(stages).toEqual(['refused']);
    expect(end.status).toMatchObject({ phase: 'Failed', reason: 'CannotRun' });
  });

  it('runs on without a job, whatever its restart policy', () => {
    expect(live(fresh({ restartPolicy: 'Never' })).end.status?.phase).toBe('Running');
  });

  it('is ready only when its gates are', () => {
    const gated = live(fresh({ readinessGates: [{ conditionType: 'example.com/up' }] })).end;
    expect(conditions(gated)).toMatchObject({ Ready: 'False', ContainersReady: 'True' });
    const open = { type: 'example.com/up', status: 'True' };
    const opened = live({
      ...gated,
      status: { ...gated.status, conditions: [...(gated.status?.conditions ?? []), open] },
    });
    expect(opened.stages).toEqual(['running']);
    expect(conditions(opened.end)).toMatchObject({ Ready: 'True' });
  });

  it('keeps the time it runs since when it is looked at again', () => {
    const { end } = live(fresh());
    const later = simulatedStatus({ ...end, metadata: { ...end.metadata, generation: 2 } }, 'running', {
      now: NOW + 60_000,
      podIP: '10.244.0.7',
    });
    expect(later.containerStatuses).toMatchObject([{ state: { running: { startedAt: '2026-01-01T12:00:00Z' } } }]);
    expect(later['observedGeneration']).toBe(2);
  });

  it('shows how it ended only to those who hold it', () => {
    expect(nextStage(pod('p', { metadata: going }))).toBeUndefined();
    expect(nextStage(pod('p', { metadata: { ...going, finalizers: ['x'] } }))).toBe('killed');
  });
});
