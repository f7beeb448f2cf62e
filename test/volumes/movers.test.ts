import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POD, SECRET } from '../../src/api/index.ts';
import { AppError, NO_LOG } from '../../src/base/index.ts';
import { Movers, type MoverCall, type MoverLocation, type Uploader } from '../../src/control/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { openStore, storeAccess } from '../../src/edge/store/index.ts';
import type { PluginProgress } from '../../src/edge/volumes/index.ts';
import { describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { CONFIG_MAPS, newNamespace, objectOf } from '../kube-kinds.ts';
import type { EngineCluster } from '../engine/engine.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster } from './volume-cluster.ts';

const CANCELED = new AppError('canceled', 'it was canceled');

describe('movers in pods', { timeout: 120_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let namespace: string;
  let movers: Movers;
  let location: MoverLocation;
  let owner: { type: typeof CONFIG_MAPS; object: KubeObject };
  beforeAll(async () => {
    cluster = await startVolumeCluster();
    ({ kube } = cluster);
    namespace = await newNamespace(kube);
    const object = await kube.create({ type: CONFIG_MAPS, namespace: 'default' }, objectOf(CONFIG_MAPS, 'owner'));
    owner = { type: CONFIG_MAPS, object };
    movers = new Movers(
      { uploader: 'kopia', image: 'headway:test', movers: 4, moversPerNode: 2 },
      { kube, clock: systemClock, random: Math.random, log: NO_LOG, namespace: 'default' },
    );
    const at = { provider: 'headway.io/fs', bucket: 'backups' };
    const deps = { log: NO_LOG, fsRoot: join(cluster.directory, 'stores') };
    location = { name: 'default', ...at, access: () => storeAccess(at, deps), store: await openStore(at, deps) };
  }, 60_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  function calls(signal = new AbortController().signal) {
    const heard = {
      progress: [] as PluginProgress[],
      attempts: [] as number[],
      notes: [] as string[],
      waits: [] as string[],
    };
    const call: MoverCall = {
      signal,
      lasting: new AbortController().signal,
      isCanceled: ({ reason }) => reason === CANCELED,
      api: () => ({ call: (request) => request() }),
      onProgress: (progress) => heard.progress.push(progress),
      onNote: (text) => heard.notes.push(text),
      onAttempt: (attempt) => void heard.attempts.push(attempt),
      onWaiting: ({ message }) => {
        heard.waits.push(message);
        return { tell: (next) => heard.waits.push(next.message), explain: () => undefined, end: () => undefined };
      },
    };
    return { call, heard };
  }
  const leftovers = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const type of [POD, SECRET]) {
      for await (const { items } of kube.list({ type, namespace }, { labelSelector: 'headway.io/pod' })) {
        for (const { metadata } of items) names.push(metadata.name);
      }
    }
    return names;
  };

  it.each<Uploader>(['stream', 'kopia'])('copy a volume and bring it back, with %s', async (uploader) => {
    const [from, to] = [`from-${uploader}`, `to-${uploader}`];
    await createClaim(kube, namespace, from);
    await createClaim(kube, namespace, to);
    await createUser(kube, namespace, { name: `user-${uploader}`, claims: [from, to] });
    const keeps = { hardLinks: false, anyName: false, directoryTimes: false };
    const source = await directoryOf(kube, namespace, from);
    makeTree(source, keeps);
    const task = { owner, uploader, location, node: 'pocket', isVerified: true };
    const taking = calls();
    const { result, attempt } = await movers.snapshot(
      {
        ...task,
        id: `b-${uploader}`,
        claim: { namespace, name: from },
        source: { namespace, pod: `user-${uploader}`, volume: from },
        archiveKey: `backups/b/volumes/b-${uploader}.tar.zst`,
      },
      taking.call,
    );
    expect(attempt).toBe(1);
    expect(result.progress.bytesDone).toBe(result.progress.totalBytes);
    expect(taking.heard.progress.length).toBeGreaterThan(0);
    const restoring = calls();
    const back = await movers.restore(
      {
        ...task,
        id: `r-${uploader}`,
        claim: { namespace, name: to },
        snapshotID: result.snapshotID,
        volumeId: `b-${uploader}`,
        repositoryNamespace: namespace,
        totalBytes: result.progress.totalBytes,
      },
      restoring.call,
    );
    expect(back.result.checksum).toBe(result.checksum);
    expect(describeTree(await directoryOf(kube, namespace, to), keeps)).toEqual(describeTree(source, keeps));
    expect(await leftovers()).toEqual([]);
  });

  it('list the files of a snapshot from the namespace of the server, and leave nothing when nobody wants them', async () => {
    await createClaim(kube, namespace, 'listed');
    await createUser(kube, namespace, { name: 'user-listed', claims: ['listed'] });
    makeTree(await directoryOf(kube, namespace, 'listed'));
    const source = { namespace, pod: 'user-listed', volume: 'listed' };
    const { result } = await movers.snapshot(
      {
        ...{ id: 'b-listed', owner, uploader: 'kopia', location, node: 'pocket', source, archiveKey: '' },
        claim: { namespace, name: 'listed' },
      },
      calls().call,
    );
    const task = {
      owner,
      location,
      repositoryNamespace: namespace,
      snapshotID: result.snapshotID,
      maxBytes: 1024 ** 2,
    };
    let text = '';
    const listing = calls();
    await movers.list({ ...task, id: 'b-listed-1' }, listing.call, async (list) => {
      for await (const piece of list) text += Buffer.from(piece).toString();
    });
    expect(text.split('\n').length).toBeGreaterThan(5);
    expect(listing.heard.waits.join()).toContain('pod default/headway-list-b-listed-1-');
    expect(text).toMatch(/^(\{"path":.*\}\n)+$/);
    const stop = new AbortController();
    const keep = async (list: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const _ of list) stop.abort(CANCELED);
    };
    await expect(movers.list({ ...task, id: 'b-listed-2' }, calls(stop.signal).call, keep)).rejects.toBe(CANCELED);
    const left: string[] = [];
    for (const type of [POD, SECRET]) {
      for await (const { items } of kube.list({ type, namespace: 'default' }, { labelSelector: 'headway.io/pod' }))
        for (const { metadata } of items) left.push(metadata.name);
    }
    expect(left).toEqual([]);
  });
});
