import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Backup } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { VELERO_LAYOUT } from '../../src/core/backup/index.ts';
import { encodeItem, writeArchive, type ArchiveItem } from '../../src/edge/archive/index.ts';
import { NAMESPACE, type EngineCluster } from './engine.ts';

/** What a stored backup needs of a cluster. */
type Place = Pick<EngineCluster, 'kube' | 'bucket'>;

const BUCKET = new URL('../fixtures/velero/velero-1.18.3-bucket.tar.gz', import.meta.url);

/** An object as a backup holds it. */
export interface Stored {
  groupResource: string;
  object: JsonObject;
}

export function configMap(namespace: string, name: string, data: Record<string, string> = { k: 'v' }): Stored {
  return {
    groupResource: 'configmaps',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, uid: 'old' }, data },
  };
}

export function namespace(name: string, labels: Record<string, string> = {}): Stored {
  return { groupResource: 'namespaces', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } };
}

/** A completed backup of these objects in the default location, as the sync would have brought it. */
export async function storeBackup(
  cluster: Place,
  name: string,
  items: Iterable<Stored>,
  files: { volumeInfo?: readonly JsonObject[]; podVolumeBackups?: readonly JsonObject[] } = {},
): Promise<void> {
  const path = archivePath(cluster, name);
  mkdirSync(dirname(path), { recursive: true });
  const writer = writeArchive(archiveItems(items), { layout: VELERO_LAYOUT, now: new Date(0) });
  // Not by a stream, which reads ahead: a chunk is valid until the next one is requested.
  await using file = await open(path, 'w');
  for await (const chunk of writer.bytes) await file.writeFile(chunk);
  const write = (ending: string, value: readonly JsonObject[] | undefined): void => {
    if (value !== undefined) writeFileSync(path.replace('.tar.gz', ending), gzipSync(JSON.stringify(value)));
  };
  write('-volumeinfo.json.gz', files.volumeInfo);
  write('-podvolumebackups.json.gz', files.podVolumeBackups);
  writeFileSync(path.replace('.tar.gz', '-resource-list.json.gz'), gzipSync(JSON.stringify(resourceList(items))));
  await createBackup(cluster, name);
}

/** Velero's list of what is in a backup. */
function resourceList(items: Iterable<Stored>): Record<string, string[]> {
  const list: Record<string, string[]> = {};
  for (const { object } of items) {
    const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
    const kind = `${textAt(object, 'apiVersion') ?? ''}/${textAt(object, 'kind') ?? ''}`;
    (list[kind] ??= []).push(namespace === undefined ? name : `${namespace}/${name}`);
  }
  return list;
}

/** A backup whose archive is just these bytes. */
export async function storeArchive(cluster: Place, name: string, bytes: Uint8Array): Promise<void> {
  const path = archivePath(cluster, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  await createBackup(cluster, name);
}

/** What real Velero 1.18.3 left in its bucket: backup `shop-1`. */
export async function storeRecordedBackup(cluster: Place): Promise<void> {
  mkdirSync(cluster.bucket, { recursive: true });
  execFileSync('tar', ['xzf', BUCKET.pathname, '-C', cluster.bucket]);
  await createBackup(cluster, 'shop-1');
}

export async function createBackup(cluster: Place, name: string, labels: JsonObject = {}): Promise<void> {
  await cluster.kube.create(
    { type: Backup, namespace: NAMESPACE },
    {
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name, namespace: NAMESPACE, labels: labels as Record<string, string> },
      spec: { storageLocation: 'default' },
      status: { phase: 'Completed', startTimestamp: '2026-01-01T00:00:00Z' },
    },
  );
}

function archivePath(cluster: Place, name: string): string {
  return join(cluster.bucket, 'backups', name, `${name}.tar.gz`);
}

async function* archiveItems(items: Iterable<Stored>): AsyncGenerator<ArchiveItem> {
  await Promise.resolve();
  for (const { groupResource, object } of items) {
    const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
    const version = (textAt(object, 'apiVersion') ?? '').split('/').at(-1) ?? '';
    const place = namespace === undefined ? {} : { namespace };
    yield { groupResource, ...place, name, version, text: encodeItem(object) };
  }
}
