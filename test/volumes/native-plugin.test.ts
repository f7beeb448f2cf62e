import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toCrd, VolumePluginBackup, VolumePluginRestore } from '../../src/api/index.ts';
import {
  answerInstead,
  judgeNative,
  nameForSnapshot,
  pluginBackupObject,
  pluginRestoreObject,
  volumeId,
} from '../../src/core/volumes/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { eventually } from '../eventually.ts';
import { PocketFixture } from '../pocket/pocket-fixture.ts';
import { PLUGIN, PythonPlugin, whyNoPython } from './python-plugin.ts';

const BASE = '/apis/velero.io/v1/namespaces/velero';
const MIB = 1024 * 1024;
const noPython = whyNoPython();
const title = (name: string) => (noPython === undefined ? name : `${name} (skipped: ${noPython})`);

describe.skipIf(noPython !== undefined)(
  title('a native plugin in Python, on a pocket cluster'),
  { timeout: 60_000 },
  () => {
    let cluster: PocketFixture;
    let uses = 0;
    const at = () => ({ server: cluster.pocket.url, ca: cluster.pocket.ca, token: cluster.pocket.token });
    const ask = (volume: string): VolumePluginBackup => {
      const backup = { namespace: 'velero', name: 'b', uid: `uid-${(uses += 1)}` };
      const claim = { namespace: 'shop', name: 'data' };
      return pluginBackupObject({ id: volumeId(backup, volume), backup, volume, claim, plugin: PLUGIN }, true);
    };
    const post = async (plural: string, object: { metadata: object }) => {
      // Nobody deletes what has an owner that does not exist, as long as the test lasts.
      const body = { ...object, metadata: { ...object.metadata, ownerReferences: [] } };
      const answer = await cluster.ask(`${BASE}/${plural}`, { method: 'POST', body });
      expect(answer.code).toBe(201);
      return answer.body;
    };
    const get = async (name: string): Promise<VolumePluginBackup> => {
      return VolumePluginBackup.parse((await cluster.ask(`${BASE}/volumepluginbackups/${name}`)).body).value;
    };
    const ends = async (name: string): Promise<VolumePluginBackup> =>
      await eventually(
        async () => {
          const object = await get(name);
          expect(judgeNative(object, 0, undefined).kind).toBe('ended');
          return object;
        },
        { withinMs: 20_000 },
      );

    beforeAll(async () => {
      cluster = await PocketFixture.start();
      for (const kind of [VolumePluginBackup, VolumePluginRestore]) {
        const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
        expect((await cluster.ask(path, { method: 'POST', body: toCrd(kind) })).code).toBe(201);
      }
      await cluster.ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'velero' } } });
      await eventually(async () => {
        expect((await cluster.ask(`${BASE}/volumepluginrestores`)).code).toBe(200);
      });
    });
    afterAll(async () => {
      await cluster[Symbol.asyncDispose]();
    });

    it('writes all of the status, and its bytes grow while it works', async () => {
      await using plugin = await PythonPlugin.start(at(), '--pace', '0.02');
      writeFileSync(join(plugin.storage, 'volumes/pv-1'), content(16 * MIB));
      const request = ask('pv-1');
      const seen: number[] = [];
      const watching = (async () => {
        for await (const { object } of cluster.watch(`${BASE}/volumepluginbackups?watch=1&timeoutSeconds=30`)) {
          const { metadata, status } = VolumePluginBackup.parse(object).value;
          if (metadata.name !== request.metadata.name) continue;
          if (status.progress?.bytesDone !== undefined) seen.push(status.progress.bytesDone);
          if (status.phase === 'Completed') return;
        }
      })();
      await post('volumepluginbackups', request);
      const { status } = await ends(request.metadata.name);
      await watching;
      expect(status).toMatchObject({
        phase: 'Completed',
        snapshotID: request.metadata.name,
        progress: { totalBytes: 16 * MIB, bytesDone: 16 * MIB },
      });
      expect(Date.parse(status.completionTimestamp ?? '')).toBeGreaterThanOrEqual(
        Date.parse(status.startTimestamp ?? ''),
      );
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.length).toBeGreaterThan(2);
    });

    it('restores what it has', async () => {
      await using plugin = await PythonPlugin.start(at());
      writeFileSync(join(plugin.storage, 'volumes/pv-2'), content(MIB));
      const request = ask('pv-2');
      await post('volumepluginbackups', request);
      const { status } = await ends(request.metadata.name);
      const back = pluginRestoreObject(
        {
          id: 'r-0123456789',
          restore: { namespace: 'velero', name: 'r', uid: 'u' },
          backup: 'b',
          snapshotID: status.snapshotID ?? '',
          claim: { namespace: 'shop', name: 'data' },
          plugin: PLUGIN,
          backedUp: { claim: { namespace: 'shop', name: 'data' } },
        },
        true,
      );
      await post('volumepluginrestores', back);
      const volume = await eventually(async () => {
        const { body } = await cluster.ask(`${BASE}/volumepluginrestores/r-0123456789`);
        const restored = VolumePluginRestore.parse(body).value.status;
        expect(restored.phase).toBe('Completed');
        return restored.volumeID ?? '';
      });
      expect(readFileSync(join(plugin.storage, 'volumes', volume)).equals(content(MIB))).toBe(true);
    });

    it('may create its own object instead, which is taken for the answer', async () => {
      await using plugin = await PythonPlugin.start(at(), '--own-objects');
      writeFileSync(join(plugin.storage, 'volumes/pv-3'), content(MIB));
      const request = ask('pv-3');
      const asked = VolumePluginBackup.parse(await post('volumepluginbackups', request)).value;
      const answer = await eventually(async () => {
        const { body } = await cluster.ask(`${BASE}/volumepluginbackups`);
        const all = (body['items'] as unknown[]).map((item) => VolumePluginBackup.parse(item).value);
        const found = answerInstead(asked, all);
        expect(found?.status.phase).toBe('Completed');
        return found!;
      });
      expect(answer.metadata.name).toBe(nameForSnapshot(answer.status.snapshotID ?? ''));
    });

    it('may have ids that are no names', async () => {
      await using plugin = await PythonPlugin.start(at(), '--odd-ids', '--no-progress');
      writeFileSync(join(plugin.storage, 'volumes/pv-4'), content(1000));
      const request = ask('pv-4');
      await post('volumepluginbackups', request);
      const { status } = await ends(request.metadata.name);
      expect(status.snapshotID).toMatch(/^Snapshots\//);
      expect(status.progress).toBeUndefined();
    });

    it('says why it failed', async () => {
      await using _plugin = await PythonPlugin.start(at());
      const request = ask('no-such-volume');
      await post('volumepluginbackups', request);
      const { status } = await ends(request.metadata.name);
      expect(status).toMatchObject({ phase: 'Failed', message: expect.stringContaining('No such file') as string });
    });

    it('leaves the requests of others alone, and may stay silent', async () => {
      await using plugin = await PythonPlugin.start(at(), '--silent');
      const mine = ask('pv-5');
      const others = { ...ask('pv-6'), spec: { ...ask('pv-6').spec, plugin: 'example.com/other' } };
      for (const request of [mine, others]) await post('volumepluginbackups', request);
      await using second = await PythonPlugin.start(at(), '--name', 'example.com/nobody');
      for (const { metadata } of [mine, others]) expect((await get(metadata.name)).status.phase).toBeUndefined();
      expect(judgeNative(await get(mine.metadata.name), 60_000, undefined)).toMatchObject({ kind: 'stalled' });
      expect(readdirSync(plugin.storage)).not.toContain('snapshots');
      expect(readdirSync(second.storage)).not.toContain('snapshots');
    });
  },
);
