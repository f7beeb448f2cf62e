import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { Backup, toCrd } from '../../api/index.ts';
import { NO_LOG } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { refuseOtherCrds } from './check-cluster.ts';
import { VeleroGuard } from './velero-guard.ts';

const CRD = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const signal = AbortSignal.timeout(10_000);

describe('a cluster', () => {
  it('with our CRDs is served', async () => {
    const cluster = new ScriptedCluster(new FakeClock());
    await cluster.create({ type: CRD }, toCrd(Backup) as unknown as KubeObject);
    await expect(refuseOtherCrds(cluster, signal)).resolves.toBeUndefined();
  });

  it("without CRDs, or with Velero's, is refused with the command that helps", async () => {
    const cluster = new ScriptedCluster(new FakeClock());
    const hint = 'Run: headway install --crds-only';
    await expect(refuseOtherCrds(cluster, signal)).rejects.toMatchObject({ code: 'notFound', details: { hint } });
    const progress = { type: 'object', properties: { itemsBackedUp: { type: 'integer' } } };
    const schema = { properties: { status: { properties: { progress } } } };
    await cluster.create(
      { type: CRD },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: CRD.kind,
        metadata: { name: 'backups.velero.io' },
        spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
      },
    );
    await expect(refuseOtherCrds(cluster, signal)).rejects.toMatchObject({ code: 'invalidConfig', details: { hint } });
  });
});

describe('the guard against a second server', () => {
  const velero = (replicas: number): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'velero', namespace: 'velero' },
    spec: { replicas },
  });
  const start = (cluster: ScriptedCluster, clock: FakeClock) => {
    const guard = new VeleroGuard('velero', { kube: cluster, clock, log: NO_LOG, random: () => 0.5 });
    const stop = new AbortController();
    const ended = guard.run(stop.signal).then(
      () => 'stopped',
      (error: unknown) => String(error),
    );
    return { guard, stop, ended };
  };

  it('is content with a Velero that is scaled to nothing, and ends when it is started', async () => {
    const clock = new FakeClock();
    const cluster = new ScriptedCluster(clock);
    const target = { type: DEPLOYMENT, namespace: 'velero' };
    await cluster.create(target, velero(0));
    const { guard, ended } = start(cluster, clock);
    await guard.ready;
    await cluster.patch({ ...target, name: 'velero' }, { kind: 'merge', body: { spec: { replicas: 1 } } });
    expect(await ended).toContain('Velero runs in namespace velero');
  });

  it('does not let anything start beside a running Velero', async () => {
    const clock = new FakeClock();
    const cluster = new ScriptedCluster(clock);
    await cluster.create({ type: DEPLOYMENT, namespace: 'velero' }, velero(1));
    const { guard, ended } = start(cluster, clock);
    await expect(guard.ready).rejects.toThrow('Velero runs in namespace velero');
    expect(await ended).toContain('Velero runs');
  });

  it('stops when it is told to', async () => {
    const clock = new FakeClock();
    const { stop, ended, guard } = start(new ScriptedCluster(clock), clock);
    await guard.ready;
    stop.abort();
    expect(await ended).toBe('stopped');
  });
});
