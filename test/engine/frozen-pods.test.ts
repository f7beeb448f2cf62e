import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { AppError, objectsAt, textAt } from '../../src/base/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { readSource } from '../../src/edge/store/source.ts';
import type { PutOptions, Source, Store } from '../../src/edge/store/index.ts';
import { eventually } from '../eventually.ts';
import { ended, NAMESPACE, request, startCluster, type EngineCluster } from './engine.ts';
import { hooksOf, makePods, ScriptedPods, startBackups } from './scripted-pods.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const NAMES = ['db-a', 'db-b', 'db-c', 'db-d', 'db-e'];
/** Much more than gzip, the tar block and the store keep in their hands. */
const big = (bytes: number): Record<string, string> => ({ big: randomBytes((bytes * 3) / 4).toString('base64') });
const conditionOf = (backup: KubeObject, wanted: string) =>
  objectsAt(backup, 'status', 'conditions').find(({ type }) => type === wanted);
const get = async (name: string): Promise<KubeObject> =>
  await cluster.kube.get({ type: Backup, namespace: NAMESPACE, name });

/** Reads the source in the background until it is told to refuse it. */
function refusing(when: Promise<unknown>) {
  return (store: Store): Partial<Store> => ({
    put: async (key: string, source: Source, options: PutOptions = {}) => {
      if (!key.endsWith('.tar.gz')) return await store.put(key, source, options);
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, options.signal ?? stop.signal]);
      const reading = (async () => {
        for await (const _chunk of readSource(source, signal));
      })().catch(() => undefined);
      await when;
      const error = new AppError('forbidden', 'AccessDenied');
      stop.abort(error);
      await reading;
      throw error;
    },
  });
}

describe('no pod stays frozen', () => {
  it('when the store refuses the archive while a pre hook runs', async () => {
    await makePods(cluster, 'refused', NAMES, big(180_000));
    const freezing = Promise.withResolvers<undefined>();
    await using pods = await ScriptedPods.start(cluster, async ({ command }) => {
      if (command !== 'freeze') return;
      freezing.resolve(undefined);
      await delay(700);
    });
    await using _engine = await startBackups(cluster, { kube: pods.kube, store: refusing(freezing.promise) });
    const spec = { includedNamespaces: ['refused'], hooks: hooksOf('freeze', 'thaw') };
    await request(cluster.kube, Backup, 'refused', { spec });
    const backup = await ended(cluster.kube, Backup, 'refused');
    expect(textAt(backup, 'status', 'phase')).toBe('Failed');
    expect(textAt(backup, 'status', 'failureReason')).toContain('AccessDenied');
    const ran = pods.ran.map(({ pod, command }) => `${command} ${pod}`);
    // The one that was begun ended by itself, was thawed after it, and no other one was begun.
    expect(ran).toEqual(['freeze db-a', 'thaw db-a']);
    expect(pods.ran[1]!.begun).toBeGreaterThanOrEqual(pods.ran[0]!.ended!);
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([]);
    await delay(1500);
    expect(pods.ran).toHaveLength(2);
  });

  it('for a store that takes one megabyte a second: between its hooks it waits less than two seconds', async () => {
    await makePods(cluster, 'slow', NAMES, big(250_000));
    await makePods(cluster, 'slow-more', ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8'], big(250_000));
    await using pods = await ScriptedPods.start(cluster, () => Promise.resolve());
    const slow = (store: Store): Partial<Store> => ({
      put: async (key: string, source: Source, options: PutOptions = {}) => {
        const slowly = async function* (): AsyncGenerator<Uint8Array> {
          for await (const chunk of readSource(source, options.signal ?? new AbortController().signal)) {
            await delay(chunk.length / 1000);
            yield chunk;
          }
        };
        return await store.put(key, key.endsWith('.tar.gz') ? slowly() : source, options);
      },
    });
    await using _engine = await startBackups(cluster, { kube: pods.kube, store: slow });
    const spec = { includedNamespaces: ['slow', 'slow-more'], hooks: hooksOf('freeze', 'thaw') };
    const startedAt = performance.now();
    await request(cluster.kube, Backup, 'slow', { spec });
    const backup = await ended(cluster.kube, Backup, 'slow', 30_000);
    expect(textAt(backup, 'status', 'phase')).toBe('Completed');
    // Otherwise the store was not what everything waited for.
    expect(performance.now() - startedAt).toBeGreaterThan(2500);
    const frozenMs = [...NAMES, 'x1', 'x8'].map((name) => {
      const [pre, post] = pods.ran.filter(({ pod }) => pod === name);
      return (post?.ended ?? Infinity) - (pre?.begun ?? 0);
    });
    expect(Math.max(...frozenMs)).toBeLessThan(2000);
  });

  it('without a word: one that cannot be reached is named, and thawed when it can', async () => {
    await makePods(cluster, 'unreached', ['db']);
    let isReachable = false;
    await using pods = await ScriptedPods.start(cluster, () => Promise.resolve());
    const kube = {
      ...pods.kube,
      exec: async (...[pod, options]: Parameters<typeof pods.kube.exec>) => {
        if (options.command[0] === 'thaw' && !isReachable) {
          throw new AppError('unreachable', 'no route to the node', { details: { maybeDone: false } });
        }
        return await pods.kube.exec(pod, options);
      },
    };
    const first = await startBackups(cluster, { kube });
    const spec = { includedNamespaces: ['unreached'], hooks: hooksOf('freeze', 'thaw') };
    await request(cluster.kube, Backup, 'unreached', { spec });
    const backup = await ended(cluster.kube, Backup, 'unreached');
    expect(textAt(backup, 'status', 'phase')).toBe('PartiallyFailed');
    const condition = conditionOf(backup, 'PodsMayBeFrozen');
    expect(condition).toMatchObject({ status: 'True' });
    expect(condition?.['message']).toContain('unreached/db');
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([{ namespace: 'unreached', name: 'db' }]);
    expect(backup.metadata.finalizers).toEqual(['headway.io/post-hooks']);
    await first.stop();
    isReachable = true;
    await using _second = await startBackups(cluster, { kube });
    await eventually(async () => {
      const after = await get('unreached');
      expect(objectsAt(after, 'status', 'openHooks')).toEqual([]);
      expect(conditionOf(after, 'PodsMayBeFrozen')).toBeUndefined();
      expect(after.metadata.finalizers ?? []).toEqual([]);
      expect(textAt(after, 'status', 'phase')).toBe('PartiallyFailed');
    });
    expect(pods.ran.map(({ command }) => command)).toEqual(['freeze', 'thaw']);
  });

  it('when the backup was deleted while no process ran: the object waits until the pod is thawed', async () => {
    await makePods(cluster, 'deleted', ['db']);
    await using pods = await ScriptedPods.start(cluster, () => Promise.resolve());
    await request(cluster.kube, Backup, 'deleted', {
      metadata: { finalizers: ['headway.io/post-hooks'] },
      spec: { includedNamespaces: ['deleted'], storageLocation: 'default', hooks: hooksOf('freeze', 'thaw') },
      status: { phase: 'InProgress', attempt: 1, openHooks: [{ namespace: 'deleted', name: 'db' }] },
    });
    await cluster.kube.delete({ type: Backup, namespace: NAMESPACE, name: 'deleted' });
    expect((await get('deleted')).metadata.deletionTimestamp).toBeDefined();
    await using _engine = await startBackups(cluster, { kube: pods.kube });
    await eventually(async () => {
      await expect(get('deleted')).rejects.toMatchObject({ code: 'notFound' });
    });
    expect(pods.ran.map(({ command }) => command)).toEqual(['thaw']);
  });
});
