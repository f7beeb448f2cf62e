import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BackupStorageLocation, Restore, Schedule, type AnyKind } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import type { FaultLine } from '../faults/fault-line.ts';
import { lineToCluster } from '../faults/line-to-cluster.ts';
import { objectOf } from '../kube-kinds.ts';
import { Served } from './served.ts';

let cluster: EngineCluster;
let line: FaultLine;
let served: Served;

beforeAll(async () => {
  cluster = await startCluster();
  const kubeconfig = join(cluster.directory, 'through-line');
  line = await lineToCluster(cluster.kubeconfig, kubeconfig);
  served = await Served.start([{ name: 'demo', kubeconfig, login: 'link' }]);
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await line?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

it.each<[AnyKind, string, JsonObject]>([
  [Restore, '/api/operations/demo.restore.velero.twin', { backupName: 'b' }],
  [Schedule, '/api/schedules/twin', { schedule: '0 3 * * *', template: {} }],
  [
    BackupStorageLocation,
    '/api/locations/twin',
    { provider: 'headway.io/fs', objectStorage: { bucket: 'twin' }, config: { path: 'twin' } },
  ],
])('deletes no $kind that somebody created under the same name meanwhile', async (type, path, spec) => {
  const target = { type, namespace: NAMESPACE };
  const create = () => cluster.kube.create(target, objectOf(type, 'twin', { spec }));
  const first = await create();
  const replace = async () => {
    await cluster.kube.delete({ ...target, name: 'twin' });
    await eventually(create);
  };
  const headers = await served.byLink();
  // From here on whoever deletes it has looked at the first one.
  line.rule(({ method }) => (method === 'DELETE' ? { kind: 'after', deed: replace } : undefined));
  const { status, json } = await eventually(async () => {
    const answer = await served.ask(path, { method: 'DELETE', headers });
    expect(answer.status).not.toBe(404);
    return answer;
  });
  expect([status, json]).toMatchObject([409, { error: { code: 'conflict' } }]);
  const { metadata } = await cluster.kube.get({ ...target, name: 'twin' });
  expect(metadata.uid).not.toBe(first.metadata.uid);
});
