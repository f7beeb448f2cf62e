import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, NODE, POD, Restore, VolumePluginBackup } from '../../src/api/index.ts';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { content, describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { NAMESPACES, newNamespace } from '../kube-kinds.ts';
import { isUp, shellPod } from '../pod-clusters.ts';
import { moversIn } from '../volumes/volume-application.ts';
import { createClaim, createUser, directoryOf } from '../volumes/volume-cluster.ts';
import { FaultCluster } from './fault-cluster.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from './seeded-random.ts';
import { StatusRecord } from './status-record.ts';
import { VolumeRecord, type SeenVolume } from './volume-record.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 180_000;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const QUOTAS = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };
const need = needsBed({ clusters: 1, nodes: true, s3: true });

describe.skipIf(need.missing)(need.title('movers on a real node'), { timeout: 300_000 }, () => {
  let cluster: FaultCluster;
  let kube: KubeClient;
  beforeAll(async () => {
    cluster = await FaultCluster.start({
      ...{ cluster: 'kubelet', store: 's3', isStoreDirect: true },
      serverFlags: ['--uploader', 'kopia', '--mover-image', 'headway:dev'],
    });
    ({ kube } = cluster);
    await cluster.bed!.clusters[0]!.node!.load('headway');
    await cluster.served();
  }, 240_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  }, 60_000);

  /** Where the files of a claim are, as a folder of this machine. */
  const folderOf = async (namespace: string, claim: string): Promise<string> =>
    join(cluster.bed!.clusters[0]!.node!.volumes, basename(await directoryOf(kube, namespace, claim)));
  const application = async (fill: (directory: string) => void, claims = ['data']): Promise<string> => {
    const namespace = await newNamespace(kube);
    for (const claim of claims) await createClaim(kube, namespace, claim);
    await eventually(() => createUser(kube, namespace, { name: 'db-0', claims }), { withinMs: 60_000 });
    for (const claim of claims) fill(await folderOf(namespace, claim));
    return namespace;
  };
  const small = (directory: string): void => {
    writeFileSync(join(directory, 'file'), content(MIB));
  };
  const backupOf = (name: string, namespaces: string[], more: JsonObject = {}) =>
    StatusRecord.of(kube, Backup, {
      name,
      spec: { includedNamespaces: namespaces, defaultVolumesToFsBackup: true, ...more },
    });
  const stalled = ({ object }: SeenVolume): boolean =>
    objectsAt(object, 'status', 'conditions').some(({ type }) => type === 'Stalled');

  /** By the server's own clock, in seconds: the machine may be busy, and what is written may be seen late. */
  const stalledAfter = ({ object }: SeenVolume): number => {
    const condition = objectsAt(object, 'status', 'conditions').find(({ type }) => type === 'Stalled');
    const at = (text: string | undefined): number => Date.parse(text ?? '') / 1000;
    return at(textAt(condition, 'lastTransitionTime')) - at(textAt(object, 'status', 'startTimestamp'));
  };

  it('copy to S3 and back, with no more rights than they need', async () => {
    const namespace = await application((directory) => {
      makeTree(directory, KEEPS);
      writeFileSync(join(directory, 'big'), content(8 * MIB));
    });
    const pods: JsonObject[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      const options = { signal: stop.signal, labelSelector: 'headway.io/pod=mover', resourceVersion: '0' };
      for await (const event of kube.watch({ type: POD }, options)) {
        if (event.type === 'MODIFIED') pods.push(event.object);
      }
    })();
    watching.catch(() => undefined);
    await using backup = await backupOf('node', [namespace]);
    const end = await backup.ended(WITHIN_MS);
    expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
    const target = `${namespace}-again`;
    await using restore = await StatusRecord.of(kube, Restore, {
      name: 'node',
      spec: { backupName: 'node', namespaceMapping: { [namespace]: target } },
    });
    const back = await restore.ended(WITHIN_MS);
    stop.abort();
    expect(back.phase, JSON.stringify(back.object['status'])).toBe('Completed');
    expect(describeTree(await folderOf(target, 'data'), KEEPS)).toEqual(
      describeTree(await folderOf(namespace, 'data'), KEEPS),
    );
    await isUp(kube, target, 'db-0');
    for (const [at, add] of [
      [namespace, ['DAC_READ_SEARCH']],
      [target, ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID']],
    ] as const) {
      const seen = pods.filter((pod) => textAt(pod, 'metadata', 'namespace') === at);
      const pod = seen.find(
        (one) => textAt(one, 'status', 'phase') === 'Running' || textAt(one, 'status', 'phase') === 'Succeeded',
      );
      expect(objectAt(pod, 'spec')).toMatchObject({ automountServiceAccountToken: false });
      const [container] = objectsAt(pod, 'spec', 'containers');
      expect(container).toMatchObject({
        securityContext: {
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 0 },
          capabilities: { drop: ['ALL'], add: [...add] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      const mounts = objectsAt(container, 'volumeMounts').map(({ mountPath }) => mountPath);
      expect(mounts).not.toContain('/var/run/secrets/kubernetes.io/serviceaccount');
      expect(await moversIn(kube, at)).toEqual([]);
    }
  });

  it('say within seconds why they do not start: no room, a quota, a namespace that refuses them', async () => {
    const [full, strict] = [await application(small), await application(small)];
    await kube.create(
      { type: QUOTAS, namespace: full },
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' }, spec: { hard: { pods: '1' } } },
    );
    await eventually(
      async () => {
        const quota = await kube.get({ type: QUOTAS, namespace: full, name: 'none' });
        expect(textAt(quota, 'status', 'used', 'pods')).toBe('1');
      },
      { withinMs: 30_000 },
    );
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await kube.patch({ type: NAMESPACES, name: strict }, { kind: 'merge', body: { metadata: { labels } } });
    await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'refused');
    await using backup = await backupOf('refused', [full, strict]);
    const byNamespace =
      (namespace: string) =>
      (one: SeenVolume): boolean =>
        one.object.metadata.annotations?.['headway.io/claim'] === `${namespace}/data`;
    const began = await volumes.until('data', 'begun', (one) => byNamespace(full)(one) && one.phase === 'InProgress');
    const waits = await volumes.until('data', 'stalled', (one) => byNamespace(full)(one) && stalled(one));
    expect(waits.at - began.at).toBeLessThan(25_000);
    expect(stalledAfter(waits)).toBeLessThanOrEqual(15);
    expect(JSON.stringify(waits.object['status'])).toMatch(/exceeded quota.*QuotaExceeded/);
    await kube.delete({ type: QUOTAS, namespace: full, name: 'none' });
    const end = await backup.ended(WITHIN_MS);
    expect(end.phase).toBe('PartiallyFailed');
    const last = (namespace: string) => volumes.of('data').filter(byNamespace(namespace)).at(-1)!;
    expect(last(full).phase).toBe('Completed');
    expect(last(strict).phase).toBe('Failed');
    expect(textAt(last(strict).object, 'status', 'message')).toMatch(/violates PodSecurity "restricted/);
  });

  it('are stalled within 15 s where no node has room, and go on when one has', async () => {
    const namespace = await application(small);
    const { name } = cluster.bed!.clusters[0]!.node!;
    const node = await kube.get({ type: NODE, name });
    const cpu = textAt(node, 'status', 'allocatable', 'cpu') ?? '1';
    const milli = cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Number(cpu) * 1000;
    // Nothing else on the node asks for a share.
    const resources = { requests: { cpu: `${milli - 50}m` } };
    await kube.create({ type: POD, namespace }, shellPod('hog', 'sleep 100000', { container: { resources } }));
    await isUp(kube, namespace, 'hog');
    await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'crowded');
    await using backup = await backupOf('crowded', [namespace]);
    const began = await volumes.until('data', 'begun', ({ phase }) => phase === 'InProgress');
    const waits = await volumes.until('data', 'stalled', stalled);
    expect(waits.at - began.at).toBeLessThan(25_000);
    expect(stalledAfter(waits)).toBeLessThanOrEqual(15);
    expect(JSON.stringify(waits.object['status'])).toMatch(/Insufficient cpu.*Unschedulable/);
    // Whoever looks at the backup alone learns it too.
    await backup.until(
      'stalled',
      ({ object }) => JSON.stringify(object['status']).includes('Insufficient cpu'),
      30_000,
    );
    await kube.delete({ type: POD, namespace, name: 'hog' });
    const end = await backup.ended(WITHIN_MS);
    expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
    expect(stalled(volumes.last('data')!)).toBe(false);
  });

  const random = seededRandom(SEED);
  const rounds = Array.from({ length: IS_CAMPAIGN ? 4 : 1 }, (_, round) => ({
    round,
    percents: Array.from({ length: 5 }, () => Math.floor(random() * 95)),
  }));

  // Two movers run at a time: a kill at a moment of one volume meets the other at its beginning or end.
  it.each(rounds)(
    `go on after the kubelet was killed at $percents percent of five volumes (HEADWAY_SEED=${SEED})`,
    async ({ round, percents }) => {
      const claims = percents.map((_, kill) => `data-${kill}`);
      let seed = 0;
      const namespace = await application((directory) => {
        for (let file = 0; file < 12; file += 1)
          writeFileSync(join(directory, `f${file}`), content(8 * MIB, (seed += 1)));
      }, claims);
      const name = `kubelet-${round}`;
      await using volumes = new VolumeRecord(kube, VolumePluginBackup, name);
      await using backup = await backupOf(name, [namespace], { uploaderConfig: { parallelFilesUpload: 1 } });
      const node = cluster.bed!.clusters[0]!.node!;
      const met: string[] = [];
      for (const [kill, claim] of claims.entries()) {
        const isThere = ({ progress, phase }: SeenVolume): boolean =>
          phase === 'Completed' || Number(progress['percent'] ?? -1) >= percents[kill]!;
        await volumes.until(claim, `at ${String(percents[kill])} %`, isThere, WITHIN_MS);
        met.push(...claims.filter((one) => volumes.last(one)?.phase === 'InProgress'));
        await node.stopKubelet();
        await node.startKubelet();
      }
      const end = await backup.ended(WITHIN_MS);
      expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
      for (const claim of claims) expect(volumes.last(claim)).toMatchObject({ phase: 'Completed' });
      // Kills that all come too late would prove nothing.
      expect(met).not.toEqual([]);
      volumes.expectLaws();
      backup.expectPercentNeverFalls();
      expect(await moversIn(kube, namespace)).toEqual([]);
    },
  );
});
