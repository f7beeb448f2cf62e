import type {
  Deployment,
  Meta,
  Pod,
  PodSpec,
  PodStatus,
  ReplicaSet,
} from '../../src/pocket/controllers/kinds/index.ts';

/** Small objects for tests of decisions. */
export const NOW = Date.UTC(2026, 0, 1, 12);
const CREATED = '2026-01-01T11:00:00Z';

interface PodChange {
  ready?: boolean;
  metadata?: Partial<Meta>;
  spec?: Partial<PodSpec>;
  status?: PodStatus;
}

export function pod(name: string, change: PodChange = {}): Pod {
  const { ready = true, metadata, spec, status } = change;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: CREATED, generation: 1, ...metadata },
    spec: { nodeName: 'pocket', containers: [{ name: 'c', image: 'i' }], ...spec },
    status: {
      phase: 'Running',
      podIP: '10.244.0.9',
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: CREATED }],
      ...status,
    },
  };
}

export const going = { deletionTimestamp: '2026-01-01T11:59:00Z', deletionGracePeriodSeconds: 30 };

const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

export function deployment(spec: Partial<Deployment['spec']> = {}, change: Partial<Deployment> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', generation: 1 },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE, ...spec },
    ...change,
  };
}

export function replicaSet(
  name: string,
  counts: { replicas: number; available?: number; actual?: number },
  change: Partial<ReplicaSet> = {},
): ReplicaSet {
  const { replicas, available = replicas, actual = replicas } = counts;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: CREATED, generation: 1 },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
    status: { replicas: actual, readyReplicas: available, availableReplicas: available, observedGeneration: 1 },
    ...change,
  };
}
