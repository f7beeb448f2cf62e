import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { stringifyJson, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { objectOf } from '../kube-kinds.ts';
import { recordedRestore } from '../recorded-velero.ts';
import { servedBed, servedPocket, type ServedCluster } from '../served-cluster.ts';
import { essence, namespaceObjects } from './namespace-objects.ts';

const RECORDED = join(import.meta.dirname, '../fixtures/velero/velero-1.18.3-bucket.tar.gz');
const NAMESPACE = 'velero';

const need = needsBed({ clusters: 1, s3: true });
describe('the bucket that Velero 1.18.3 left, given to `headway server`', () => {
  it('restores to the recorded objects on pocket', { timeout: 120_000 }, async () => {
    await restoresAsRecorded(await servedPocket());
  });

  it.skipIf(need.missing)(need.title('restores to the recorded objects on the bed'), { timeout: 120_000 }, async () => {
    await restoresAsRecorded(await servedBed());
  });
});

async function restoresAsRecorded(served: ServedCluster): Promise<void> {
  await using cluster = served;
  const { kube, fsRoot, bed } = cluster;
  const bucket = bed === undefined ? join(fsRoot, 'backups') : join(bed.s3!.directory, bed.s3!.bucket);
  mkdirSync(bucket, { recursive: true });
  execFileSync('tar', ['xzf', RECORDED, '-C', bucket]);
  const server = await cluster.serve();
  // The sync brings the Backup; nobody made it here.
  const backup = await eventually(async () => await kube.get({ type: Backup, namespace: NAMESPACE, name: 'shop-1' }), {
    withinMs: 60_000,
  });
  expect(textAt(backup, 'status', 'phase')).toBe('Completed');
  const metadata = { namespace: NAMESPACE };
  const spec = { backupName: 'shop-1', namespaceMapping: { shop: 'shop2' } };
  await kube.create({ type: Restore, namespace: NAMESPACE }, objectOf(Restore, 'again', { metadata, spec }));
  const restore = await eventually(
    async () => {
      const object = await kube.get({ type: Restore, namespace: NAMESPACE, name: 'again' });
      const phase = textAt(object, 'status', 'phase');
      if (phase !== 'Completed') throw new Error(`the restore is ${phase ?? 'not begun'}: ${server.err}`);
      return object;
    },
    { withinMs: 60_000 },
  );
  expect(valueAt(restore, 'status', 'progress')).toMatchObject({ totalItems: 34, itemsRestored: 34, failed: 0 });
  const found = await namespaceObjects(kube, 'shop2');
  const { restored } = await recordedRestore();
  const wanted = new Map(
    restored.filter(isGiven).map((object) => [titleOf(object), stringifyJson(essence(object, 'shop2'))]),
  );
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
}

function titleOf(object: JsonObject): string {
  return `${textAt(object, 'kind') ?? ''} ${textAt(object, 'metadata', 'name') ?? ''}`;
}

/** As `namespaceObjects` leaves them out. */
function isGiven(object: JsonObject): boolean {
  const title = titleOf(object);
  const made = /^(Endpoints|EndpointSlice|Event|Pod|ReplicaSet|ControllerRevision) /;
  return !made.test(title) && title !== 'ConfigMap kube-root-ca.crt' && title !== 'ServiceAccount default';
}
