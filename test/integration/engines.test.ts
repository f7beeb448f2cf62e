import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Backup, LEASE } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { LEADER_LEASE, type SessionAnswer, type SessionGroup } from '../../src/core/operations/index.ts';
import { ServerRecords } from '../../src/main/serve/server-records.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { DEPLOYMENTS, objectOf } from '../kube-kinds.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';

const VELERO = { type: DEPLOYMENTS, namespace: 'velero', name: 'velero' };

function deployment(replicas: number) {
  const labels = { app: 'velero' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'velero', image: 'none/none:1' }] } };
  return objectOf(DEPLOYMENTS, 'velero', { spec: { replicas, selector: { matchLabels: labels }, template } });
}

/** What the server of this cluster says of its groups to whoever has the cluster's own token. */
async function groupsOf({ home, kubeconfig }: ServedCluster): Promise<SessionGroup[]> {
  const [record] = new ServerRecords(join(home.path, 'state')).running();
  const { users } = parse(readFileSync(kubeconfig, 'utf8')) as { users: { user: { token: string } }[] };
  const headers = { authorization: `Bearer ${users[0]?.user.token ?? ''}` };
  const session = (await (await fetch(`${record!.url}/api/session`, { headers })).json()) as SessionAnswer;
  return session.clusters[0]?.groups ?? [];
}
const engineOf = async (cluster: ServedCluster, name: string) =>
  (await groupsOf(cluster)).find((group) => group.name === name)?.engine;

async function started(cluster: ServedCluster, ...flags: string[]): Promise<Running> {
  const args = ['--kubeconfig', cluster.kubeconfig, '--listen', '127.0.0.1:0', ...flags];
  const running = cluster.home.start('server', ...args);
  await eventually(
    () => {
      expect(running.err).toContain('"serving"');
    },
    { withinMs: 30_000 },
  );
  return running;
}

async function stopped(running: Running): Promise<void> {
  running.child.kill('SIGTERM');
  expect((await running.finished()).code).toBe(0);
}

it('refuses to start beside a running Velero, and only looks when told to', { timeout: 120_000 }, async () => {
  await using cluster = await servedPocket();
  await cluster.kube.create(VELERO, deployment(1));
  const serve = ['server', '--kubeconfig', cluster.kubeconfig, '--listen', '127.0.0.1:0'];
  const refused = await cluster.home.run(...serve, '--engines', 'velero');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('Velero runs in namespace velero, and two must not answer the same objects');
  const none = await cluster.home.run(...serve, '--engines', 'migration');
  expect(none.err).toContain('this version of Headway has no migration engine');
  const usual = await started(cluster);
  expect(await groupsOf(cluster)).toMatchObject([
    { name: 'velero', engine: { state: 'off', reason: expect.stringContaining('Velero runs') as string } },
    { name: 'kanister', engine: { state: 'on' } },
    { name: 'migration', engine: { state: 'notChosen' } },
  ]);
  await stopped(usual);
  const running = await started(cluster, '--engines', 'none');
  expect(await groupsOf(cluster)).toMatchObject([
    { name: 'velero', isSeen: true, missing: [], engine: { state: 'notChosen' } },
    { name: 'kanister', isSeen: true, missing: [], engine: { state: 'notChosen' } },
    { name: 'migration', isSeen: true, missing: [], engine: { state: 'notChosen' } },
  ]);
  await stopped(running);
});

it('lets go of its work when Velero is started, and goes on when that is stopped', { timeout: 120_000 }, async () => {
  await using cluster = await servedPocket();
  const { kube } = cluster;
  const running = await cluster.serve('--engines', 'velero,migration');
  expect(await engineOf(cluster, 'migration')).toMatchObject({ state: 'notBuilt' });
  await kube.create(VELERO, deployment(1));
  await eventually(
    async () => {
      expect(await engineOf(cluster, 'velero')).toMatchObject({
        state: 'off',
        reason: expect.stringContaining('Velero runs') as string,
      });
    },
    { withinMs: 20_000 },
  );
  expect(running.err).toContain('"engine is off"');
  const backup = { type: Backup, namespace: 'velero', name: 'meanwhile' };
  await kube.create(backup, objectOf(Backup, 'meanwhile', { spec: { includedNamespaces: ['velero'] } }));
  const phase = async (): Promise<string | undefined> => textAt(await kube.get(backup), 'status', 'phase');
  // The lease is free, so that Velero's users are not told that Headway answers.
  await eventually(
    async () => {
      const lease = await kube.get({ type: LEASE, namespace: 'velero', name: LEADER_LEASE });
      expect(textAt(lease, 'spec', 'holderIdentity') ?? '').toBe('');
    },
    { withinMs: 20_000 },
  );
  expect(await phase()).toBeUndefined();
  await kube.patch(VELERO, { kind: 'merge', body: { spec: { replicas: 0 } } });
  await eventually(
    async () => {
      expect(await phase()).toBe('Completed');
    },
    { withinMs: 60_000 },
  );
  expect(await engineOf(cluster, 'velero')).toEqual({ state: 'on' });
  await stopped(running);
});
