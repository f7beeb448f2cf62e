import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from '../kube-kinds.ts';
import { E2eCluster } from './e2e-cluster.ts';

const SERVICES = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };
const RBAC = 'rbac.authorization.k8s.io';
const space = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

describe("Velero's end-to-end cases: what belongs to the cluster", () => {
  let cluster: E2eCluster;
  beforeAll(async () => {
    cluster = await E2eCluster.start();
  }, 90_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  it('RBAC: roles and bindings of a service account come with its namespace', { timeout: 60_000 }, async () => {
    const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
    const subjects = [{ kind: 'ServiceAccount', name: 'runner', namespace: 'rbac' }];
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'e2e' };
    await cluster.make(
      space('rbac'),
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner', namespace: 'rbac' } },
      { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'e2e' }, rules },
      { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'e2e' }, roleRef, subjects },
    );
    await cluster.backup('rbac', { includedNamespaces: ['rbac'] });
    await cluster.wipe('rbac');
    await cluster.kube.delete({ type: CLUSTER_ROLE_BINDINGS, name: 'e2e' });
    await cluster.kube.delete({ type: CLUSTER_ROLES, name: 'e2e' });
    expect(await cluster.restore('rbac', 'rbac')).toMatchObject({ phase: 'Completed' });
    const binding = await cluster.kube.get({ type: CLUSTER_ROLE_BINDINGS, name: 'e2e' });
    expect(binding['subjects']).toEqual(subjects);
    expect((await cluster.kube.get({ type: CLUSTER_ROLES, name: 'e2e' }))['rules']).toEqual(rules);
  });

  it('NodePort: kept or not, and taken by another', { timeout: 60_000 }, async () => {
    const ports = [{ port: 80 }];
    const service = (name: string, namespace: string, nodePort?: number): JsonObject => ({
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
      spec: { type: 'LoadBalancer', ports: ports.map((one) => (nodePort === undefined ? one : { ...one, nodePort })) },
    });
    const portOf = async (namespace: string): Promise<number> => {
      const made = await cluster.kube.get({ type: SERVICES, namespace, name: 'web' });
      return (made['spec'] as { ports: [{ nodePort: number }] }).ports[0].nodePort;
    };
    await cluster.make(space('np'), space('np-other'), service('web', 'np'));
    const port = await portOf('np');
    await cluster.backup('np', { includedNamespaces: ['np'] });
    await cluster.wipe('np');
    await cluster.make(service('thief', 'np-other', port));
    const taken = await cluster.restore('np-taken', 'np', { preserveNodePorts: true });
    expect(taken).toMatchObject({ phase: 'PartiallyFailed', errors: 1 });
    expect(await cluster.restore('np-other', 'np')).toMatchObject({ phase: 'Completed' });
    expect(await portOf('np')).not.toBe(port);
    await cluster.wipe('np', 'np-other');
    expect(await cluster.restore('np-kept', 'np', { preserveNodePorts: true })).toMatchObject({ phase: 'Completed' });
    expect(await portOf('np')).toBe(port);
  });

  it('BackupVolumeInfo: a volume that is skipped is told with its reason', { timeout: 60_000 }, async () => {
    const storage = { storage: '1Gi' };
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };
    const claim = { ...spec, volumeName: 'e2e-pv', resources: { requests: storage } };
    const volume = { ...spec, capacity: storage, hostPath: { path: '/var/tmp/e2e' } };
    await cluster.make(
      space('vol'),
      { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'e2e-pv' }, spec: volume },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'vol' }, spec: claim },
    );
    await cluster.backup('vol', { includedNamespaces: ['vol'], snapshotVolumes: false });
    const file = join(cluster.bucket, 'backups/vol/vol-volumeinfo.json.gz');
    const [info] = JSON.parse(gunzipSync(readFileSync(file)).toString()) as JsonObject[];
    expect(info).toMatchObject({ pvcName: 'data', pvcNamespace: 'vol', pvName: 'e2e-pv', skipped: true });
    expect(info?.['skippedReason']).toBeTruthy();
  });
});
