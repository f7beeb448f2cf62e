import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { ScriptedClient } from '../../../../../test/operation/client.ts';
import { Backup, POD } from '../../../../api/index.ts';
import { AppError, NO_LOG, objectsAt } from '../../../../base/index.ts';
import type { ControlDeps } from '../../ports.ts';
import { thawLeftovers } from './thaw-leftovers.ts';

it('names pods that cannot be reached also on a backup that was set aside without a word about them', async () => {
  const clock = new FakeClock();
  const kube = new ScriptedClient(clock);
  const pod = { metadata: { name: 'db', namespace: 'shop' }, spec: { containers: [{ name: 'main' }] } };
  await kube.create({ type: POD, namespace: 'shop' }, { apiVersion: 'v1', kind: 'Pod', ...pod });
  const hooks = { resources: [{ name: 'quiet', post: [{ exec: { command: ['thaw'] } }] }] };
  const target = { type: Backup, namespace: 'velero', name: 'b' };
  const backup = await kube.create(target, {
    ...{ apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero' }, spec: { hooks } },
    status: { phase: 'Failed', openHooks: [{ namespace: 'shop', name: 'db' }] },
  });
  kube.exec = () => Promise.reject(new AppError('unreachable', 'no route to the node'));
  const deps = { kube, clock, log: NO_LOG, random: () => 0, mayWrite: () => true } as unknown as ControlDeps;
  const thaw = thawLeftovers(backup, deps, new AbortController().signal);
  await expect(thaw).rejects.toThrow('post hooks have not been run in shop/db');
  const conditions = objectsAt(kube.peek(target), 'status', 'conditions');
  expect(conditions).toMatchObject([{ type: 'PodsMayBeFrozen', status: 'True' }]);
  expect(objectsAt(kube.peek(target), 'status', 'openHooks')).toHaveLength(1);
});

it('lets a deleted backup go after a while that somebody has made unreadable', async () => {
  const clock = new FakeClock();
  const kube = new ScriptedClient(clock);
  const target = { type: Backup, namespace: 'velero', name: 'b' };
  const metadata = { name: 'b', namespace: 'velero', finalizers: ['headway.io/post-hooks'] };
  const created = await kube.create(target, {
    ...{ apiVersion: 'velero.io/v1', kind: 'Backup', metadata, spec: { hooks: { resources: 7 } } },
    status: { phase: 'Failed', openHooks: [{ namespace: 'shop', name: 'db' }] },
  });
  const deletionTimestamp = new Date(clock.now()).toISOString();
  const backup = { ...created, metadata: { ...created.metadata, deletionTimestamp } };
  const deps = { kube, clock, log: NO_LOG, random: () => 0, mayWrite: () => true } as unknown as ControlDeps;
  const thaw = () => thawLeftovers(backup, deps, new AbortController().signal);
  await expect(thaw()).rejects.toThrow('post hooks have not been run in shop/db');
  await clock.advance(11 * 60_000);
  const latest = kube.peek(target)!;
  await thawLeftovers(
    { ...latest, metadata: { ...latest.metadata, deletionTimestamp } },
    deps,
    new AbortController().signal,
  );
  expect(kube.peek(target)?.metadata.finalizers).toEqual([]);
});
