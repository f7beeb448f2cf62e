import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { ServerStatusRequest } from '../../../api/index.ts';
import { objectsAt, type JsonObject } from '../../../base/index.ts';
import { answer } from './server-status-controller.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

it('is answered at once and deleted a minute later', async () => {
  const bench = new Workbench(cluster);
  bench.now = Date.parse('2026-01-01T00:00:00Z');
  await bench.create(ServerStatusRequest, 'velero-cli-1', { spec: {} });
  const turn = async () =>
    await answer(
      await bench.get(ServerStatusRequest, 'velero-cli-1'),
      { serverVersion: 'v1.2.3' },
      bench.deps,
      bench.signal,
    );
  expect(await turn()).toEqual({ requeueAfterMs: 60_000 });
  const object = await bench.get(ServerStatusRequest, 'velero-cli-1');
  expect(object['status'] as JsonObject).toMatchObject({
    phase: 'Processed',
    serverVersion: 'v1.2.3',
    processedTimestamp: '2026-01-01T00:00:00Z',
  });
  expect(objectsAt(object, 'status', 'plugins')).toContainEqual({ kind: 'ObjectStore', name: 'velero.io/aws' });
  bench.now += 59_000;
  expect(await turn()).toEqual({ requeueAfterMs: 1_000 });
  bench.now += 1_000;
  await turn();
  expect(await bench.exists(ServerStatusRequest, 'velero-cli-1')).toBe(false);
});
