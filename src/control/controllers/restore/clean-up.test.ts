import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedClient } from '../../../../test/operation/client.ts';
import { Backup, Restore } from '../../../api/index.ts';
import { AppError, NO_LOG } from '../../../base/index.ts';
import type { ControlDeps } from '../ports.ts';
import { FINALIZER, removeFiles } from './clean-up.ts';

it('waits ten minutes for a store that is away, and then lets the deleted restore go', async () => {
  const clock = new FakeClock();
  const kube = new ScriptedClient(clock);
  const at = (name: string) => ({ name, namespace: 'velero' });
  await kube.create(
    { type: Backup, namespace: 'velero' },
    { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: at('b'), spec: { storageLocation: 'default' } },
  );
  const target = { type: Restore, namespace: 'velero', name: 'r' };
  const created = await kube.create(target, {
    ...{ apiVersion: 'velero.io/v1', kind: 'Restore', spec: { backupName: 'b' } },
    metadata: { ...at('r'), finalizers: [FINALIZER] },
  });
  const deletionTimestamp = new Date(clock.now()).toISOString();
  const deleted = { ...created, metadata: { ...created.metadata, deletionTimestamp } };
  const stores = { open: () => Promise.reject(new AppError('unreachable', 'the store is away')) };
  const deps = { kube, clock, stores, namespace: 'velero', log: NO_LOG, mayWrite: () => true };
  const remove = () => removeFiles(deleted, deps as unknown as ControlDeps, new AbortController().signal);
  await clock.advance(9 * 60_000);
  await expect(remove()).rejects.toThrow('the store is away');
  expect(kube.peek(target)?.metadata.finalizers).toEqual([FINALIZER]);
  await clock.advance(2 * 60_000);
  await remove();
  expect(kube.peek(target)?.metadata.finalizers).toEqual([]);
});
