import { afterAll, beforeAll, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { AppError, valueAt } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { KubeClient, KubeObject, ListedObject, Page } from '../../src/edge/kube/index.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { BackupFiles } from './backup-files.ts';
import { ended, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';

let cluster: EngineCluster;

beforeAll(async () => {
  cluster = await startCluster();
  const namespace = 'one';
  await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
  for (let at = 0; at < 20; at += 1) {
    await cluster.kube.create({ type: CONFIG_MAPS, namespace }, objectOf(CONFIG_MAPS, `m${String(at)}`));
  }
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function start(kube: KubeClient): Promise<Engine> {
  return await startEngine(cluster, {
    kube,
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
}

/** Every third config map is no JSON. */
function withBrokenMaps(kube: KubeClient): KubeClient {
  const brokenIn = ({ items }: Page): Page['items'] => {
    const all = [...items].filter(({ metadata }) => metadata.name.startsWith('m'));
    const read = (at: number): KubeObject => {
      if (at % 3 === 2) throw new AppError('badAnswer', 'expected JSON, got JSON that is broken');
      return all[at]!;
    };
    let at = -1;
    const next = (): IteratorResult<KubeObject> => {
      at += 1;
      return at < all.length ? { done: false, value: read(at) } : { done: true, value: undefined };
    };
    return { length: all.length, [Symbol.iterator]: () => ({ next }) };
  };
  return {
    ...kube,
    async *list(wanted, options) {
      for await (const page of kube.list(wanted, options)) {
        const { listed: _listed, ...rest } = page;
        yield wanted.type.kind === 'ConfigMap' ? { ...rest, items: brokenIn(page) } : page;
      }
    },
  };
}

/** Every third config map has metadata, and behind it what is no JSON. */
function withHalfBrokenMaps(kube: KubeClient): KubeClient {
  const parse = (): never => {
    throw new AppError('badAnswer', 'expected JSON, got JSON that is broken');
  };
  const halfBroken = (one: ListedObject, at: number): ListedObject =>
    at % 3 === 2 ? { metadata: one.metadata, json: () => Buffer.from('{"metadata":{},"data":tru}'), parse } : one;
  return {
    ...kube,
    async *list(wanted, options) {
      for await (const page of kube.list(wanted, options)) {
        const listed = [...(page.listed ?? [])].filter(({ metadata }) => metadata.name.startsWith('m')).map(halfBroken);
        yield wanted.type.kind === 'ConfigMap' && page.listed !== undefined ? { ...page, listed } : page;
      }
    },
  };
}

it('loses only those items of a list that are broken, and says so', async () => {
  await using _engine = await start(withBrokenMaps(cluster.kube));
  await request(cluster.kube, Backup, 'broken', { spec: { includedNamespaces: ['one'] } });
  const backup = await ended(cluster.kube, Backup, 'broken');
  expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 6 });
  const files = new BackupFiles(cluster, 'broken');
  const line = 'one of configmaps in namespace one cannot be read and is not in the backup: expected JSON';
  expect(JSON.stringify(files.json('-results.gz')).split(line)).toHaveLength(7);
  expect((files.list() as Record<string, string[]>)['v1/ConfigMap']).toHaveLength(14);
  const { itemsBackedUp, totalItems } = valueAt(backup, 'status', 'progress') as Record<string, number>;
  expect(totalItems! - itemsBackedUp!).toBe(6);
});

it('names those whose content is broken', async () => {
  await using _engine = await start(withHalfBrokenMaps(cluster.kube));
  await request(cluster.kube, Backup, 'half-broken', { spec: { includedNamespaces: ['one'] } });
  const backup = await ended(cluster.kube, Backup, 'half-broken');
  expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 6 });
  const files = new BackupFiles(cluster, 'half-broken');
  expect(JSON.stringify(files.json('-results.gz'))).toMatch(
    /configmaps\S* one\/m\d+ cannot be archived: expected JSON/,
  );
  expect((files.list() as Record<string, string[]>)['v1/ConfigMap']).toHaveLength(14);
});
