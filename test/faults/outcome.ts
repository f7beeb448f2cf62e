import { expect } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { Backup, Restore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { backupKeys, type Store } from '../../src/edge/store/index.ts';
import { collect } from '../collect.ts';
import { objectsIn } from './sample-application.ts';
import { ENDED, numberAt, type Seen } from './status-record.ts';

/** The backup is intact: each item once, all that was asked for, and the numbers say so. */
export async function expectWholeBackup(store: Store, name: string, end: Seen, items: Set<string>): Promise<void> {
  expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
  const paths = await archivePaths(store, name);
  expect(new Set(paths).size, 'an entry is in the archive twice').toBe(paths.length);
  const plain = paths.filter((path) => /^resources\/[^/]+\/(namespaces|cluster)\//.test(path));
  expect(end.progress).toMatchObject({ percent: 100, itemsBackedUp: plain.length, totalItems: plain.length });
  const kept = new Set(plain.map(keptName));
  expect([...items].filter((item) => !kept.has(item))).toEqual([]);
}

function keptName(path: string): string {
  const [, type = '', , , file = ''] = path.split('/');
  const kind = { configmaps: 'ConfigMap', secrets: 'Secret' }[type] ?? type;
  return `${kind}/${file.replace(/\.json$/, '')}`;
}

/** What the restore says it did is what is in the cluster, and nothing that was there before the kill was made anew. */
export async function expectWholeRestore(
  kube: KubeClient,
  end: Seen,
  wanted: { namespace: string; items: Set<string>; before?: ReadonlyMap<string, string> },
): Promise<void> {
  expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
  const [done, total, created, updated, skipped, failed] = [
    'itemsRestored',
    'totalItems',
    'created',
    'updated',
    'skipped',
    'failed',
  ].map((field) => numberAt(end.progress, field) ?? 0) as [number, number, number, number, number, number];
  expect(done).toBe(total);
  expect(created + updated + skipped + failed).toBe(total);
  expect(failed).toBe(0);
  const objects = await objectsIn(kube, wanted.namespace);
  const found = new Map(objects.map(({ kind, metadata }) => [`${kind}/${metadata.name}`, metadata.uid ?? '']));
  expect([...wanted.items].filter((item) => !found.has(item))).toEqual([]);
  const anew = [...(wanted.before ?? [])].filter(([item, uid]) => found.get(item) !== uid);
  expect(anew, 'objects that were there at the kill are others now').toEqual([]);
  expect(created + updated).toBeGreaterThanOrEqual(wanted.items.size);
}

/** Nothing of an earlier attempt is left, and nothing is left running. */
export async function expectNothingLeft(kube: KubeClient, store: Store): Promise<void> {
  const uploads: string[] = [];
  for await (const { key } of store.listUploads('')) uploads.push(key);
  expect(uploads, 'uploads that nobody finished').toEqual([]);
  const files: string[] = [];
  for await (const { key } of store.list('')) files.push(key);
  expect(files.filter((key) => !/^(backups|restores)\/[^/]+\/[^/]+$/.test(key))).toEqual([]);
  const open: string[] = [];
  for (const type of [Backup, Restore]) {
    for await (const { items } of kube.list({ type, namespace: 'velero' })) {
      for (const object of items) {
        const phase = textAt(object, 'status', 'phase') ?? 'New';
        if (!ENDED.includes(phase)) open.push(`${type.kind} ${object.metadata.name} is ${phase}`);
      }
    }
  }
  expect(open).toEqual([]);
}

async function archivePaths(store: Store, name: string): Promise<string[]> {
  const { body } = await store.get(backupKeys(name).contents);
  const bytes = Buffer.concat(await collect(body));
  const tar = extract();
  tar.end(gunzipSync(bytes));
  const paths: string[] = [];
  for await (const entry of tar) {
    paths.push(entry.header.name);
    entry.resume();
  }
  return paths;
}
