import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatBytes } from '../../src/base/index.ts';
import type { KubeClient, Target } from '../../src/edge/kube/index.ts';
import { run } from '../bed/index.ts';
import { onEveryTarget, type ClientTarget } from '../client-target.ts';
import { clientFor } from '../kube-client.ts';
import { CLUSTER_ROLE_BINDINGS, CONFIG_MAPS, newNamespace, objectOf, SERVICE_ACCOUNTS } from '../kube-kinds.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';

const OBJECTS = process.env['HEADWAY_CAMPAIGN'] === '1' ? 100_000 : 5000;
/** What all of them hold together is far more than a page may cost. */
const FILLING = 'x'.repeat(2000);
const PAGE = 500;
const MAX_GROWTH_BYTES = 6 * 1024 * 1024;
const WALK = join(import.meta.dirname, '../walk-objects.ts');

/** What walk-objects.ts prints. */
interface Walk {
  objects: number;
  isInOrder: boolean;
  versions: number;
  pages: number;
  ms: number;
  growthBytes: number;
  peakRssBytes: number;
}

async function createMany(kube: KubeClient, target: Target, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of numbers) {
      const data = { filling: FILLING };
      await kube.create(target, objectOf(CONFIG_MAPS, `n-${String(index).padStart(6, '0')}`, { data }));
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

/** Somebody who may do everything and is still no member of system:masters, whom no limit applies to. */
async function ordinaryKubeconfig(kube: KubeClient, target: ClientTarget): Promise<string> {
  const namespace = await newNamespace(kube);
  await kube.create({ type: SERVICE_ACCOUNTS, namespace }, objectOf(SERVICE_ACCOUNTS, 'busy'));
  await kube.create(
    { type: CLUSTER_ROLE_BINDINGS },
    objectOf(CLUSTER_ROLE_BINDINGS, namespace, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'busy' }],
    }),
  );
  const args = ['--kubeconfig', target.kubeconfig, '-n', namespace, 'create', 'token', 'busy'];
  const token = (await run(target.bed!.bin('kubectl'), { args })).trim();
  const file = join(target.directory, 'busy.kubeconfig');
  writeFileSync(file, readFileSync(target.kubeconfig, 'utf8').replace(target.token, token), { mode: 0o600 });
  return file;
}

onEveryTarget('the client under load', (place) => {
  it(`walks ${OBJECTS} objects page by page in the memory of a few pages`, async () => {
    const target = { type: CONFIG_MAPS, namespace: await newNamespace(place.kube) };
    const startedAt = performance.now();
    await createMany(place.kube, target, OBJECTS);
    const perSecond = Math.round((OBJECTS / (performance.now() - startedAt)) * 1000);
    const args = ['--expose-gc', WALK, place.target.kubeconfig, target.namespace, String(PAGE)];
    const walk = JSON.parse(await run(process.execPath, { args, timeoutMs: 600_000 })) as Walk;
    console.log(
      `${OBJECTS} objects created at ${perSecond}/s, listed in ${(walk.ms / 1000).toFixed(2)} s; over ${walk.pages} ` +
        `pages memory grew by ${formatBytes(walk.growthBytes)}, at most ${formatBytes(walk.peakRssBytes)} were resident`,
    );
    // Both servers put kube-root-ca.crt into every namespace.
    expect(walk).toMatchObject({ objects: OBJECTS + 1, isInOrder: true, versions: 1, pages: OBJECTS / PAGE + 1 });
    expect(walk.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  }, 1_800_000);

  place.itNeeds(
    'flags',
    'gets everything from a server that lets one request in at a time',
    async () => {
      const { kube, target } = place;
      const file = await ordinaryKubeconfig(kube, target);
      const maps = { type: CONFIG_MAPS, namespace: await newNamespace(kube) };
      await target.bed!.clusters[0]!.restartApiserver([
        '--enable-priority-and-fairness=false',
        '--max-requests-inflight=1',
        '--max-mutating-requests-inflight=1',
      ]);
      const log = recordingLog();
      const busy = await clientFor(file, { log });
      const turnedAway = () => log.lines.filter(({ fields }) => fields['code'] === 'throttled').length;
      // On a machine that does other things too, the queue is longer.
      const patient = { deadlineMs: 120_000 };
      const many = Array.from({ length: 200 }, (_, index) => `m-${index}`);
      await Promise.all(many.map((name) => busy.create(maps, objectOf(CONFIG_MAPS, name), patient)));
      const creates = turnedAway();
      const found = await Promise.all(many.map((name) => busy.get({ ...maps, name }, patient)));
      console.log(`200 creates were turned away ${creates} times, 200 gets ${turnedAway() - creates} times`);
      expect(found.map(({ metadata }) => metadata.name)).toEqual(many);
      expect(creates).toBeGreaterThan(0);
      expect(turnedAway() - creates).toBeGreaterThan(0);
      // Without a limit that adapts each of them is turned away twice.
      expect(turnedAway() - creates).toBeLessThan(many.length / 2);
      await busy.close();
    },
    180_000,
  );
});
