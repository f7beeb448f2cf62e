import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { POD, SECRET } from '../../../api/index.ts';
import { NO_LOG } from '../../../base/index.ts';
import type { KubeClient } from '../../../edge/kube/index.ts';
import { removeOldLists } from './old-lists.ts';

const never = new AbortController().signal;

it('removes movers and keys of lists that nobody can be waiting for, and nothing else', async () => {
  const clock = new FakeClock();
  const kube = new ScriptedCluster(clock);
  const labels = (job: string, server = 'velero') => ({
    'headway.io/pod': 'mover',
    'headway.io/server-namespace': server,
    'headway.io/mover-job': job,
  });
  const create = async (name: string, of: Record<string, string>): Promise<void> => {
    for (const type of [POD, SECRET]) {
      const metadata = { name, namespace: 'velero', labels: of };
      await kube.create({ type, namespace: 'velero' }, { apiVersion: 'v1', kind: type.kind, metadata });
    }
  };
  const left = (): string[] =>
    ['old', 'snapshot', 'foreign', 'new'].flatMap((name) =>
      [POD, SECRET].flatMap((type) =>
        kube.peek({ type, namespace: 'velero', name }) === undefined ? [] : `${type.kind} ${name}`,
      ),
    );
  await create('old', labels('list'));
  await create('snapshot', labels('snapshot'));
  await create('foreign', labels('list', 'other'));
  await clock.advance(10 * 60_000);
  await create('new', labels('list'));
  const all = left();
  const deps = { kube: kube as unknown as KubeClient, clock, namespace: 'velero', log: NO_LOG };
  await removeOldLists(deps, never);
  expect(left()).toEqual(all);
  await clock.advance(2 * 60_000);
  await removeOldLists(deps, never);
  expect(left()).toEqual(all.filter((name) => !name.endsWith(' old')));
});
