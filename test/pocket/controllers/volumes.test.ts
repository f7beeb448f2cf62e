import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/index.ts';
import { CLAIMS, PODS, VOLUMES, type VolumeObject } from '../../../src/pocket/controllers/kinds/index.ts';
import { eventually } from '../../eventually.ts';
import { Cluster, container } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const claim = (name: string, spec: JsonObject = {}) =>
  cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
const volume = (name: string, spec: JsonObject = {}) =>
  cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      hostPath: { path: '/nowhere' },
      storageClassName: 'manual',
      persistentVolumeReclaimPolicy: 'Retain',
      ...spec,
    },
  });
const pod = (name: string, volumes: JsonObject[]) =>
  cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container], volumes } });
const mount = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });
const claimPhase = (name: string) => cluster.client.get(CLAIMS, 'default', name)?.status?.phase;
const podPhase = (name: string) => cluster.client.get(PODS, 'default', name)?.status?.phase;
const volumeOf = (name: string): VolumeObject | undefined =>
  cluster.client.get(VOLUMES, '', cluster.client.get(CLAIMS, 'default', name)?.spec.volumeName ?? '');
const volumePhase = (name: string) => cluster.client.get(VOLUMES, '', name)?.status?.phase;

it('makes a directory for a claim and removes it with the claim', async () => {
  await claim('quick');
  await eventually(() => {
    expect([claimPhase('quick'), volumeOf('quick')?.status?.phase]).toEqual(['Bound', 'Bound']);
  });
  const path = volumeOf('quick')?.spec.local?.path ?? '';
  expect(path.startsWith(join(cluster.dir, 'volumes', 'pvc-'))).toBe(true);
  writeFileSync(join(path, 'file'), 'data');
  await cluster.client.delete(CLAIMS, 'default', 'quick');
  await eventually(() => {
    expect(cluster.client.list(VOLUMES)).toEqual([]);
  });
  expect(existsSync(path)).toBe(false);
});

it('waits for the first pod where the class says so, and keeps what is retained', async () => {
  await claim('lazy', { storageClassName: 'pocket-retain' });
  await claim('eager');
  await eventually(() => {
    expect([claimPhase('lazy'), claimPhase('eager')]).toEqual(['Pending', 'Bound']);
  });
  await pod('first', [mount('lazy')]);
  await eventually(() => {
    expect([claimPhase('lazy'), podPhase('first')]).toEqual(['Bound', 'Running']);
  });
  const { metadata, spec } = volumeOf('lazy')!;
  await cluster.client.delete(PODS, 'default', 'first');
  await cluster.client.delete(CLAIMS, 'default', 'lazy');
  await eventually(() => {
    expect(volumePhase(metadata.name)).toBe('Released');
  });
  expect(existsSync(spec.local?.path ?? '')).toBe(true);
});

it('keeps a pod waiting until its claim can be had, and says why', async () => {
  const why = (name: string) => cluster.client.get(PODS, 'default', name)?.status?.conditions?.[0];
  await pod('patient', [mount('static')]);
  await eventually(() => {
    expect(why('patient')).toMatchObject({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' });
    expect(why('patient')?.message).toContain('persistentvolumeclaim "static" not found');
  });
  await claim('static', { storageClassName: 'manual' });
  await eventually(() => {
    expect(why('patient')?.message).toContain('unbound immediate PersistentVolumeClaims');
  });
  await volume('manual-1');
  await eventually(() => {
    expect([podPhase('patient'), volumePhase('manual-1')]).toEqual(['Running', 'Bound']);
  });
});

it('holds a claim for as long as a pod uses it', async () => {
  await cluster.client.delete(CLAIMS, 'default', 'static');
  await pod('late', [mount('static')]);
  await eventually(() => {
    expect(cluster.client.get(PODS, 'default', 'late')?.status?.conditions?.[0]?.message).toContain('is being deleted');
  });
  expect(cluster.client.get(CLAIMS, 'default', 'static')?.metadata.deletionTimestamp).toBeDefined();
  await cluster.client.delete(PODS, 'default', 'patient');
  await eventually(() => {
    expect([claimPhase('static'), volumePhase('manual-1')]).toEqual([undefined, 'Released']);
  });
});

it('holds a volume for as long as it is bound', async () => {
  await volume('manual-2');
  await claim('bound', { storageClassName: 'manual' });
  await eventually(() => {
    expect(claimPhase('bound')).toBe('Bound');
  });
  await cluster.client.delete(VOLUMES, '', 'manual-2');
  expect(volumePhase('manual-2')).toBe('Bound');
  await cluster.client.delete(CLAIMS, 'default', 'bound');
  await eventually(() => {
    expect(cluster.client.get(VOLUMES, '', 'manual-2')).toBeUndefined();
  });
});

it('gives a volume to the claim it is promised to, and to nobody else', async () => {
  await volume('promised', { claimRef: { namespace: 'default', name: 'chosen' } });
  await claim('greedy', { storageClassName: 'manual' });
  await eventually(() => {
    expect([claimPhase('greedy'), volumePhase('promised')]).toEqual(['Pending', 'Available']);
  });
  await claim('chosen', { storageClassName: 'manual' });
  await eventually(() => {
    expect([claimPhase('chosen'), claimPhase('greedy')]).toEqual(['Bound', 'Pending']);
  });
});

it('calls a claim lost when its volume is not there', async () => {
  await cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'restored', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'manual',
      volumeName: 'gone',
    },
  });
  await eventually(() => {
    expect(claimPhase('restored')).toBe('Lost');
  });
});

it('makes the claims of ephemeral volumes, which go with their pod', async () => {
  const volumeClaimTemplate = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } } };
  await pod('brief', [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }]);
  await eventually(() => {
    expect([podPhase('brief'), claimPhase('brief-scratch')]).toEqual(['Running', 'Bound']);
  });
  await cluster.client.delete(PODS, 'default', 'brief');
  await eventually(() => {
    expect(claimPhase('brief-scratch')).toBeUndefined();
  });
});

it('never deletes a directory that is not one of its own', async () => {
  const path = join(cluster.dir, 'precious');
  writeFileSync(path, '');
  const claimRef = { namespace: 'default', name: 'nobody', uid: 'gone' };
  await cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'forged', annotations: { 'pv.kubernetes.io/provisioned-by': 'pocket.headway.io/directory' } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName: 'manual',
      persistentVolumeReclaimPolicy: 'Delete',
      claimRef,
      local: { path },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
      },
    },
  });
  await eventually(() => {
    expect(volumePhase('forged')).toBe('Released');
  });
  await cluster.restart();
  expect(existsSync(path)).toBe(true);
  expect(volumePhase('forged')).toBe('Released');
});
