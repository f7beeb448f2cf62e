import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { GeneratedCluster } from '../../bench/real-load/cluster.ts';
import { fill } from '../../bench/real-load/fill.ts';
import { Wire } from '../../bench/real-load/wire.ts';
import { Backup } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { SECRETS } from '../kube-kinds.ts';
import { BackupFiles } from './backup-files.ts';
import { ended, request, startCluster, startEngine, type EngineCluster } from './engine.ts';

const GENERATED = new GeneratedCluster(
  { objects: 2500, namespaces: 40, definitions: 20, maxMb: 200, restoredOf: 1 },
  1,
);
let cluster: EngineCluster;
let kinds = 0;
/** What is asked once, whatever the cluster has: caches of the engine, objects of volumes, namespaces, bindings. */
const ONCE = 15;

/** What was asked for while a backup ran; a page of a list is one request. */
interface Asked {
  lists: number;
  gets: number;
}

function counting(kube: KubeClient, asked: Asked): KubeClient {
  return {
    ...kube,
    list: async function* (...args) {
      for await (const page of kube.list(...args)) {
        asked.lists += 1;
        yield page;
      }
    },
    get: (...args) => {
      asked.gets += 1;
      return kube.get(...args);
    },
  };
}

async function backUp(name: string, spec: JsonObject): Promise<{ asked: Asked; files: BackupFiles }> {
  const asked: Asked = { lists: 0, gets: 0 };
  await using _engine = await startEngine(cluster, {
    kube: counting(cluster.kube, asked),
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
  await request(cluster.kube, Backup, name, { spec });
  const backup = await ended(cluster.kube, Backup, name, 60_000);
  expect(backup['status']).toMatchObject({ phase: 'Completed', errors: 0 });
  console.log(`${name}: ${String(asked.lists)} lists and ${String(asked.gets)} gets for ${String(kinds)} kinds`);
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
      // Definitions and volumes are dozens, and come from lists.
      expect(asked.gets).toBeLessThan(60);
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
