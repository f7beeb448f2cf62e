import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Backup, DownloadRequest } from '../../src/api/index.ts';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { Seal } from '../../src/server/auth/seal.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { configMap, storeBackup } from '../engine/stored-backup.ts';
import { objectOf } from '../kube-kinds.ts';
import { Served } from './served.ts';

const KEY = new Uint8Array(32).fill(3);
const FILE = { location: 'default', key: 'backups/mine/mine.tar.gz' };
const NAMESPACE = 'velero';

let cluster: EngineCluster;
let served: Served;
let ahead = 0;
const clock = { ...systemClock, now: () => Date.now() + ahead };

beforeAll(async () => {
  cluster = await startCluster();
  await storeBackup(cluster, 'mine', [configMap('shop', 'a')]);
  const fsRoot = join(cluster.directory, 'stores');
  const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const, fsRoot }];
  served = await Served.start(clusters, { key: KEY }, NO_LOG, clock);
});
beforeEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** A fresh request, and the link that the controller would make for it. */
async function link(name: string, seconds = 600): Promise<string> {
  const spec = { target: { kind: 'BackupContents', name: 'mine' } };
  const type = { type: DownloadRequest, namespace: NAMESPACE };
  const request = await cluster.kube.create(type, objectOf(DownloadRequest, name, { spec }));
  const backup = await cluster.kube.get({ type: Backup, namespace: NAMESPACE, name: 'mine' });
  const [asked, of] = [request, backup].map(({ kind, metadata }) => ({
    kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
  }));
  return new URL(served.server.linkTo({ cluster: 'demo', request: asked!, of: of!, ...FILE }, seconds)).pathname;
}
const status = async (path: string): Promise<number> => (await served.ask(path)).status;

it('opens the one file that it was made for', async () => {
  const { status: code, headers } = await served.ask(await link('opens'));
  expect([code, headers['content-type']]).toEqual([200, 'application/octet-stream']);
});

it('opens nothing when it was changed, or sealed by another server or for something else', async () => {
  const path = await link('forged');
  expect(await status(path.slice(0, -2) + (path.endsWith('AA') ? 'BB' : 'AA'))).toBe(403);
  const content = { cluster: 'demo', ...FILE, until: Date.now() + 60_000 };
  // The whole content of links of earlier versions, which opened a file for everybody.
  expect(await status(`/download/${new Seal(KEY, 'download').close(content)}`)).toBe(403);
  const whole = { ...content, request: {}, of: {} };
  expect(await status(`/download/${new Seal(KEY, 'session').close(whole)}`)).toBe(403);
  expect(await status(`/download/${new Seal(new Uint8Array(32), 'download').close(whole)}`)).toBe(403);
});

it('lives for minutes, whatever was asked for', async () => {
  const path = await link('long', 1_000_000);
  ahead = 599_000;
  expect(await status(path)).toBe(200);
  ahead = 601_000;
  expect(await status(path)).toBe(410);
});

it('ends with the request of whoever asked for it, and a new one of the same name does not bring it back', async () => {
  const path = await link('taken-back');
  await cluster.kube.delete({ type: DownloadRequest, namespace: NAMESPACE, name: 'taken-back' });
  expect(await status(path)).toBe(410);
  const next = await link('taken-back');
  expect([await status(path), await status(next)]).toEqual([410, 200]);
});

it('does not open the file of a later backup of the same name', async () => {
  const path = await link('old-backup');
  const type = { type: Backup, namespace: NAMESPACE };
  await cluster.kube.delete({ ...type, name: 'mine' });
  expect(await status(path)).toBe(410);
  await cluster.kube.create(type, objectOf(Backup, 'mine', { spec: { storageLocation: 'default' } }));
  expect(await status(path)).toBe(410);
  expect(await status(await link('new-backup'))).toBe(200);
});
