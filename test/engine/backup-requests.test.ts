import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { GeneratedCluster } from '../../bench/real-load/cluster.ts';
import { fill } from '../../bench/real-load/fill.ts';
import { Wire } from '../../bench/real-load/wire.ts';
import { Backup, PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { objectOf, SECRETS } from '../kube-kinds.ts';
import { BackupFiles } from './backup-files.ts';
import { ended, request, startCluster, startEngine, type EngineCluster } from './engine.ts';

const GENERATED = new GeneratedCluster(
  { objects: 2500, namespaces: 40, definitions: 20, maxMb: 200, restoredOf: 1 },
  1,
);
let cluster: EngineCluster;
let kinds = 0;
const VOLUMES = 64;
/** What is asked once, whatever the cluster has: caches of the engine, objects of volumes, namespaces, bindings. */
const ONCE = 15;

/** What was asked for while a backup ran; a page of a list is one request. */
interface Asked {
  lists: number;
  gets: number;
  /** The most that were not answered yet. */
  getsAtOnce: number;
}

function counting(kube: KubeClient, asked: Asked): KubeClient {
  let open = 0;
  return {
    ...kube,
    list: async function* (...args) {
      for await (const page of kube.list(...args)) {
        asked.lists += 1;
        yield page;
      }
    },
    get: async (...args) => {
      asked.gets += 1;
      open += 1;
      asked.getsAtOnce = Math.max(asked.getsAtOnce, open);
      try {
        return await kube.get(...args);
      } finally {
        open -= 1;
      }
    },
  };
}

async function backUp(name: string, spec: JsonObject): Promise<{ asked: Asked; files: BackupFiles }> {
  const asked: Asked = { lists: 0, gets: 0, getsAtOnce: 0 };
  await using _engine = await startEngine(cluster, {
    kube: counting(cluster.kube, asked),
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
  await request(cluster.kube, Backup, name, { spec });
  const backup = await ended(cluster.kube, Backup, name, 60_000);
  expect(backup['status']).toMatchObject({ phase: 'Completed', errors: 0 });
  const gets = `${String(asked.gets)} gets, ${String(asked.getsAtOnce)} at once,`;
  console.log(`${name}: ${String(asked.lists)} lists and ${gets} for ${String(kinds)} kinds`);
  return { asked, files: new BackupFiles(cluster, name) };
}

/** As a backup lists them, of all namespaces or of some. */
async function secrets(namespaces?: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { items } of cluster.kube.list({ type: SECRETS })) {
    for (const { metadata } of items) found.push(`${metadata.namespace ?? ''}/${metadata.name}`);
  }
  return found.filter((name) => namespaces?.includes(name.split('/')[0]!) ?? true).toSorted();
}

/** A namespace with many claims, each of which needs its volume. */
async function addVolumes(namespace: string): Promise<void> {
  for (let at = 0; at < VOLUMES; at += 1) {
    const [name, claim] = [`many-${String(at)}`, `claim-${String(at)}`];
    const size = { storage: '1Gi' };
    const claimRef = { namespace, name: claim };
    const volume = { accessModes: ['ReadWriteOnce'], capacity: size, hostPath: { path: '/nowhere' }, claimRef };
    await cluster.kube.create({ type: PERSISTENT_VOLUME }, objectOf(PERSISTENT_VOLUME, name, { spec: volume }));
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: size }, volumeName: name };
    const type = PERSISTENT_VOLUME_CLAIM;
    await cluster.kube.create({ type, namespace }, objectOf(type, claim, { metadata: { namespace }, spec }));
  }
}

beforeAll(async () => {
  cluster = await startCluster();
  const config = parse(readFileSync(cluster.kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token: string } }[];
  };
  const { server, 'certificate-authority-data': ca } = config.clusters[0]!.cluster;
  const line = { server, ca: Buffer.from(ca, 'base64').toString(), token: config.users[0]!.user.token };
  await using wire = new Wire(line, 10);
  await fill(wire, GENERATED);
  await addVolumes(GENERATED.namespaces[6]!);
  const { resources } = await cluster.kube.discover();
  kinds = resources.filter(({ verbs, preferred }) => preferred && verbs.includes('list')).length;
}, 120_000);
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

describe('a backup of a cluster with many namespaces and kinds asks by kind, not by kind and namespace', () => {
  const { namespaces } = GENERATED;

  it('for everything', async () => {
    const { asked, files } = await backUp('everything', {});
    expect(asked.lists).toBeLessThan(1.4 * kinds + ONCE);
    expect(asked.gets).toBeLessThan(20);
    expect(files.list()['v1/Namespace']).toEqual(expect.arrayContaining(namespaces));
    expect(files.list()['v1/Secret']).toEqual(await secrets());
  }, 60_000);

  it.each([
    ['half', namespaces.filter((_, at) => at % 2 === 0)],
    ['three', namespaces.slice(5, 8)],
  ])(
    'for %s of the namespaces, with what they need of the whole cluster',
    async (name, chosen) => {
      const { asked, files } = await backUp(name, { includedNamespaces: chosen });
      expect(asked.lists).toBeLessThan(1.4 * kinds + ONCE);
      // Many volumes come from a list; of definitions there are dozens, which are asked for side by side.
      expect(asked.gets).toBeLessThan(VOLUMES);
      expect(asked.getsAtOnce).toBeGreaterThan(5);
      expect(files.list()['v1/PersistentVolume']?.length).toBeGreaterThanOrEqual(VOLUMES);
      expect(files.list()['v1/Namespace']).toEqual(chosen);
      const inOthers = Object.values(files.list())
        .flat()
        .filter((item) => item.includes('/') && !chosen.includes(item.split('/')[0]!));
      expect(inOthers).toEqual([]);
      expect(files.list()['v1/Secret']).toEqual(await secrets(chosen));
      expect(files.list()['apiextensions.k8s.io/v1/CustomResourceDefinition']?.length).toBeGreaterThan(0);
    },
    60_000,
  );
});
