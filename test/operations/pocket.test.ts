import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ActionSet, CUSTOM_RESOURCE_DEFINITION, KINDS, toCrd } from '../../src/api/index.ts';
import { NO_LOG } from '../../src/base/index.ts';
import type { SessionAnswer } from '../../src/core/operations/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';
import { programPath } from '../bed/cache.ts';
import { needs } from '../bed/index.ts';
import { partNamed } from '../bed/parts.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { Served } from '../server/served.ts';
import { operationsSuite, type Place } from './suite.ts';

async function openPocket(): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-operations-'));
  const pocket = await startPocket({ dir, name: 'here', port: 0, clock: systemClock, log: NO_LOG });
  return {
    kubeconfig: pocket.kubeconfig,
    kubectl: programPath(partNamed('kubectl')),
    [Symbol.asyncDispose]: async () => {
      await pocket.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const need = needs('kubectl');
describe.skipIf(need.missing)(need.title('operations on a pocket cluster'), () => {
  operationsSuite(openPocket);
});

it('shows the kinds of a group within a minute of their definitions, and says what is missing until then', async () => {
  await using place = await openPocket();
  const kube = await clientFor(place.kubeconfig);
  const define = async (group: string): Promise<void> => {
    for (const kind of KINDS.filter((each) => each.group === group)) {
      await kube.create({ type: CUSTOM_RESOURCE_DEFINITION }, toCrd(kind) as unknown as KubeObject);
    }
  };
  await define('velero.io');
  for (const name of ['velero', 'shop']) await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
  await using served = await Served.start([{ name: 'here', kubeconfig: place.kubeconfig, login: 'link' }]);
  const headers = await served.byLink();
  const groups = async () => {
    const { json } = await served.ask('/api/session', { headers });
    return ((json as unknown as SessionAnswer).clusters[0]?.groups ?? []).map((group) => [group.name, group.isSeen]);
  };
  expect(await groups()).toEqual([
    ['velero', true],
    ['kanister', false],
    ['migration', false],
  ]);
  await define('cr.kanister.io');
  await kube.create({ type: ActionSet, namespace: 'shop' }, objectOf(ActionSet, 'late', { spec: {} }));
  await eventually(
    async () => {
      expect((await served.ask('/api/operations/here.actionset.shop.late', { headers })).status).toBe(200);
    },
    { withinMs: 60_000 },
  );
  // Whoever asks that often is made to wait a little.
  await eventually(async () => {
    expect(await groups()).toContainEqual(['kanister', true]);
  });
  await kube.close();
}, 120_000);
