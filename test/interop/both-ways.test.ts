import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { objectOf } from '../kube-kinds.ts';
import { checkBucket } from './check-bucket.ts';
import { namespaceObjects } from './namespace-objects.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHOP = join(ROOT, 'test/fixtures/shop.yaml');
const VELERO = 'velero';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];

const need = needsBed({ velero: true });
describe.skipIf(need.missing)(
  need.title('Headway and real Velero on one cluster and one bucket, one after the other'),
  () => {
    let b: Bed;
    let kube: KubeClient;
    let headway: Running | undefined;
    const home = new HeadwayHome();

    beforeAll(async () => {
      b = await bed({ velero: { crds: join(ROOT, 'deploy/crds') } });
      kube = await clientFor(b.kubeconfig);
      await b.velero[0]!.stop();
      await applyShop(b);
    }, 120_000);
    afterAll(async () => {
      await stopHeadway();
      await kube?.close();
      home[Symbol.dispose]();
      await b?.[Symbol.asyncDispose]();
    }, 60_000);

    it('each restores what the other wrote, and all restores are the same', { timeout: 300_000 }, async () => {
      startHeadway();
      await backedUp('by-headway');
      await restored('headway-own', 'by-headway');
      await stopHeadway();

      await b.velero[0]!.start();
      await restored('velero-other', 'by-headway');
      await backedUp('by-velero');
      await restored('velero-own', 'by-velero');
      await b.velero[0]!.stop();

      startHeadway();
      await restored('headway-other', 'by-velero');
      await stopHeadway();

      const wanted = await namespaceObjects(kube, 'velero-own');
      expect(wanted.size).toBeGreaterThan(15);
      expect(wanted.get('Cart big')).toContain('9007199254740993');
      for (const namespace of ['velero-other', 'headway-own', 'headway-other']) {
        expect(Object.fromEntries(await namespaceObjects(kube, namespace)), namespace).toEqual(
          Object.fromEntries(wanted),
        );
      }
    });

    it('what both left in the bucket has the format that Velero documents', async () => {
      expect(await checkBucket(join(b.s3!.directory, b.s3!.bucket))).toEqual([]);
    });

    function startHeadway(): void {
      headway = home.start('server', '--kubeconfig', b.kubeconfig, '--listen', '127.0.0.1:0');
    }

    async function stopHeadway(): Promise<void> {
      headway?.child.kill('SIGTERM');
      await headway?.finished();
      headway = undefined;
    }

    async function backedUp(name: string): Promise<void> {
      const metadata = { namespace: VELERO };
      const spec = { includedNamespaces: ['shop'], storageLocation: 'default' };
      await kube.create({ type: Backup, namespace: VELERO }, objectOf(Backup, name, { metadata, spec }));
      expect(await phaseOf(Backup, name)).toBe('Completed');
    }

    async function restored(name: string, backupName: string): Promise<void> {
      const metadata = { namespace: VELERO };
      const spec = { backupName, namespaceMapping: { shop: name } };
      await kube.create({ type: Restore, namespace: VELERO }, objectOf(Restore, name, { metadata, spec }));
      expect(await phaseOf(Restore, name)).toBe('Completed');
    }

    async function phaseOf(type: typeof Backup | typeof Restore, name: string): Promise<string> {
      return await eventually(
        async () => {
          const object = await kube.get({ type, namespace: VELERO, name });
          const phase = textAt(object, 'status', 'phase') ?? 'none';
          if (!ENDED.includes(phase)) throw new Error(`${name} is ${phase}: ${headway?.err ?? ''}`);
          return phase;
        },
        { withinMs: 90_000 },
      );
    }
  },
);

/** Twice: its custom resource can only be made when the definition is established. */
async function applyShop(b: Bed): Promise<void> {
  const args = ['--kubeconfig', b.kubeconfig, 'apply', '-f', SHOP];
  await run(b.bin('kubectl'), { args }).catch(() => undefined);
  await eventually(async () => await run(b.bin('kubectl'), { args }), { withinMs: 20_000 });
  // Before that, the claim of a restore could be bound to its volume instead.
  const bound = ['wait', 'pvc/data', '-n', 'shop', '--for=jsonpath={.status.phase}=Bound', '--timeout=60s'];
  await run(b.bin('kubectl'), { args: ['--kubeconfig', b.kubeconfig, ...bound] });
}
