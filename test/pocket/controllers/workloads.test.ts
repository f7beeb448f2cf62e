import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLAIMS,
  CONTROLLER_REVISIONS,
  DAEMON_SETS,
  DEPLOYMENTS,
  NODES,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
  type Deployment,
  type Pod,
  type StatefulSet,
} from '../../../src/pocket/controllers/kinds/index.ts';
import { isActive, isReady } from '../../../src/pocket/controllers/pod-state.ts';
import { eventually } from '../../eventually.ts';
import { Cluster, container, workload } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const podsOf = (app: string): Pod[] =>
  cluster.client.list(PODS, 'default').filter((pod) => pod.metadata.labels?.['app'] === app);
const readyPods = (app: string): string[] =>
  podsOf(app)
    .filter((pod) => isActive(pod) && isReady(pod))
    .map((pod) => pod.metadata.name);
const deploymentOf = (name: string): Deployment => {
  const found = cluster.client.get(DEPLOYMENTS, 'default', name);
  if (found === undefined) throw new Error(`no deployment ${name}`);
  return found;
};
const change = (name: string, spec: Partial<Deployment['spec']>) =>
  cluster.change(DEPLOYMENTS, `default/${name}`, (before) => ({ ...before, spec: { ...before.spec, ...spec } }));
const image = (tag: string) => {
  const template = { metadata: { labels: { app: '' } }, spec: { containers: [{ ...container, image: `c:${tag}` }] } };
  return (app: string) => ({ template: { ...template, metadata: { labels: { app } } } });
};
const rolledOut = (name: string, replicas: number) =>
  eventually(() => {
    const { status, metadata } = deploymentOf(name);
    expect(status).toMatchObject({
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
    });
    expect(status?.conditions?.find(({ type }) => type === 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
    expect(podsOf(name)).toHaveLength(replicas);
  });

describe('a deployment', () => {
  it('comes up, is scaled, updated and rolled back', async () => {
    await cluster.create(workload('Deployment', 'web', { replicas: 3 }));
    await rolledOut('web', 3);
    const [first] = cluster.client
      .list(REPLICA_SETS, 'default')
      .filter((set) => set.metadata.labels?.['app'] === 'web');
    expect(podsOf('web')[0]?.metadata.name).toMatch(new RegExp(`^${String(first?.metadata.name)}-[a-z0-9]{5}$`));
    await change('web', { replicas: 5 });
    await rolledOut('web', 5);
    await change('web', image('2')('web'));
    await rolledOut('web', 5);
    expect(deploymentOf('web').metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
    await change('web', { template: deploymentTemplate('web') });
    await rolledOut('web', 5);
    expect(deploymentOf('web').metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
    const back = cluster.client.get(REPLICA_SETS, 'default', first?.metadata.name ?? '');
    expect(back?.spec.replicas).toBe(5);
    expect(back?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  it('keeps as many old revisions as it says', async () => {
    await cluster.create(workload('Deployment', 'short', { replicas: 1, revisionHistoryLimit: 1 }));
    await rolledOut('short', 1);
    for (const tag of ['2', '3', '4']) {
      await change('short', image(tag)('short'));
      await rolledOut('short', 1);
    }
    await eventually(() => {
      const sets = cluster.client
        .list(REPLICA_SETS, 'default')
        .filter((set) => set.metadata.labels?.['app'] === 'short');
      expect(sets.map((set) => set.spec.replicas).sort()).toEqual([0, 1]);
    });
  });

  it('never has two templates at once with Recreate', async () => {
    await cluster.create(workload('Deployment', 'solo', { replicas: 2, strategy: { type: 'Recreate' } }));
    await rolledOut('solo', 2);
    const seen: string[] = [];
    const stop = cluster.client.subscribe(PODS, ({ type, object }) => {
      if (object.metadata.labels?.['app'] !== 'solo' || type === 'DELETED') return;
      seen.push(new Set(podsOf('solo').map((pod) => pod.metadata.labels?.['pod-template-hash'])).size.toString());
    });
    await change('solo', image('2')('solo'));
    await rolledOut('solo', 2);
    stop();
    expect(new Set(seen)).toEqual(new Set(['1']));
  });

  it('does not roll out while it is paused, but can be scaled', async () => {
    await cluster.create(workload('Deployment', 'halt', { replicas: 1 }));
    await rolledOut('halt', 1);
    await change('halt', { paused: true, replicas: 2, ...image('2')('halt') });
    await eventually(() => {
      expect(readyPods('halt')).toHaveLength(2);
      expect(deploymentOf('halt').status?.conditions).toContainEqual(
        expect.objectContaining({ reason: 'DeploymentPaused' }),
      );
    });
    expect(podsOf('halt').map((pod) => pod.spec.containers[0]?.image)).toEqual([container.image, container.image]);
    await change('halt', { paused: false });
    await rolledOut('halt', 2);
    expect(podsOf('halt').map((pod) => pod.spec.containers[0]?.image)).toEqual(['c:2', 'c:2']);
  });

  it('replaces a pod that is deleted', async () => {
    await cluster.create(workload('Deployment', 'tough', { replicas: 1 }));
    await rolledOut('tough', 1);
    const [name = ''] = readyPods('tough');
    await cluster.client.delete(PODS, 'default', name);
    await eventually(() => {
      expect(readyPods('tough')).toHaveLength(1);
      expect(readyPods('tough')).not.toContain(name);
    });
  });
});

const deploymentTemplate = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [container] } });

describe('a replica set', () => {
  it('adopts pods that match and lets go of those that no longer do', async () => {
    const orphan = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'orphan', labels: { app: 'rs' } },
      spec: { containers: [container] },
    };
    await cluster.create(orphan);
    await cluster.create(workload('ReplicaSet', 'rs', { replicas: 2 }));
    const owner = (name: string) => cluster.client.get(PODS, 'default', name)?.metadata.ownerReferences?.[0]?.name;
    await eventually(() => {
      expect(owner('orphan')).toBe('rs');
      expect(readyPods('rs')).toHaveLength(2);
    });
    await cluster.change(PODS, 'default/orphan', (before) => ({
      ...before,
      metadata: { ...before.metadata, labels: { app: 'free' } },
    }));
    await eventually(() => {
      expect(owner('orphan')).toBeUndefined();
      expect(readyPods('rs')).toHaveLength(2);
    });
  });
});

describe('a stateful set', () => {
  const changeSet = (spec: Partial<StatefulSet['spec']>) =>
    cluster.change(STATEFUL_SETS, 'default/db', (set) => ({ ...set, spec: { ...set.spec, ...spec } }));
  const claims = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];

  it('makes numbered pods in order, each with its claim, and updates them from the last', async () => {
    const started: string[] = [];
    const stop = cluster.client.subscribe(PODS, ({ type, object }) => {
      if (type === 'ADDED' && object.metadata.labels?.['app'] === 'db') started.push(object.metadata.name);
    });
    await cluster.create(
      workload('StatefulSet', 'db', { replicas: 3, serviceName: 'db', volumeClaimTemplates: claims }),
    );
    await eventually(() => {
      expect(readyPods('db')).toEqual(['db-0', 'db-1', 'db-2']);
      expect(cluster.client.get(STATEFUL_SETS, 'default', 'db')?.status).toMatchObject({
        readyReplicas: 3,
        currentReplicas: 3,
      });
    });
    expect(started).toEqual(['db-0', 'db-1', 'db-2']);
    expect(podsOf('db')[1]?.spec).toMatchObject({
      hostname: 'db-1',
      subdomain: 'db',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }],
    });
    started.length = 0;
    await changeSet(image('2')('db'));
    await eventually(() => {
      expect(podsOf('db').map((pod) => pod.spec.containers[0]?.image)).toEqual(['c:2', 'c:2', 'c:2']);
      const { status } = cluster.client.get(STATEFUL_SETS, 'default', 'db')!;
      expect(status).toMatchObject({ readyReplicas: 3, updatedReplicas: 3, currentRevision: status?.updateRevision });
    });
    stop();
    expect(started).toEqual(['db-2', 'db-1', 'db-0']);
    const revisions = cluster.client
      .list(CONTROLLER_REVISIONS, 'default')
      .filter((one) => one.metadata.name.startsWith('db-'));
    expect(revisions.map((one) => one.revision).sort()).toEqual([1, 2]);
  });

  it('keeps its claims when it is scaled down, unless told otherwise', async () => {
    const policy = { whenScaled: 'Delete', whenDeleted: 'Retain' };
    await changeSet({ replicas: 2 });
    await eventually(() => {
      expect(podsOf('db')).toHaveLength(2);
    });
    const claimNames = () =>
      cluster.client
        .list(CLAIMS, 'default')
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith('data-db'));
    expect(claimNames()).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
    await changeSet({ replicas: 1, persistentVolumeClaimRetentionPolicy: policy });
    await eventually(() => {
      expect(podsOf('db')).toHaveLength(1);
      expect(claimNames()).toEqual(['data-db-0', 'data-db-2']);
    });
  });
});

describe('a daemon set', () => {
  it('has one pod on the node, follows its template, and stays when the node is cordoned', async () => {
    await cluster.create(workload('DaemonSet', 'logs'));
    await eventually(() => {
      expect(readyPods('logs')).toHaveLength(1);
      expect(cluster.client.get(DAEMON_SETS, 'default', 'logs')?.status).toMatchObject({
        numberReady: 1,
        desiredNumberScheduled: 1,
      });
    });
    const cordon = (unschedulable: boolean) =>
      cluster.change(NODES, '/pocket', (node) => ({ ...node, spec: { ...node.spec, unschedulable } }));
    await cordon(true);
    await cluster.change(DAEMON_SETS, 'default/logs', (set) => ({
      ...set,
      spec: { ...set.spec, ...image('2')('logs') },
    }));
    await eventually(() => {
      expect(podsOf('logs').map((pod) => [pod.spec.containers[0]?.image, isReady(pod)])).toEqual([['c:2', true]]);
    });
    await cordon(false);
  });
});

it('nothing is done twice and nothing forgotten over a restart', async () => {
  await cluster.create(workload('Deployment', 'lasting', { replicas: 4 }));
  await cluster.restart();
  await rolledOut('lasting', 4);
  const before = podsOf('lasting').map((pod) => [pod.metadata.uid, pod.metadata.resourceVersion]);
  await cluster.restart();
  await change('lasting', { minReadySeconds: 0, replicas: 5 });
  await rolledOut('lasting', 5);
  const after = podsOf('lasting').map((pod) => [pod.metadata.uid, pod.metadata.resourceVersion]);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(new Set(podsOf('lasting').map((pod) => pod.status?.podIP)).size).toBe(5);
});
