import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { Backup } from '../../../api/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { deleteObject, patchObject, patchStatus } from './write-object.ts';

const target = { type: Backup, namespace: 'velero', name: 'b' };
const signal = new AbortController().signal;

async function setUp({ mayWrite = true } = {}) {
  const kube = new ScriptedCluster(new FakeClock());
  const metadata = { name: 'b', namespace: 'velero' };
  const object = await kube.create(target, { apiVersion: 'velero.io/v1', kind: 'Backup', metadata });
  const write = (of: KubeObject) => ({ type: Backup, object: of, deps: { kube, mayWrite: () => mayWrite }, signal });
  return { kube, object, write };
}

describe('a write of an object', () => {
  it('is refused when somebody changed the object since it was read', async () => {
    const { kube, object, write } = await setUp();
    await kube.patch(target, { kind: 'merge', body: { status: { phase: 'Deleting' } } });
    await expect(patchObject(write(object), { status: { phase: 'Queued' } })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(kube.peek(target)?.['status']).toEqual({ phase: 'Deleting' });
  });

  it('is not made by a process that does not lead', async () => {
    const { kube, object, write } = await setUp({ mayWrite: false });
    await expect(patchObject(write(object), { status: { phase: 'Queued' } })).rejects.toThrow('no longer leads');
    await expect(deleteObject(write(object))).rejects.toThrow('no longer leads');
    expect(kube.peek(target)?.['status']).toBeUndefined();
  });

  it('sends nothing for a status that is so already, and removes what is null', async () => {
    const { kube, object, write } = await setUp();
    const written = await patchStatus(write(object), { phase: 'New', queuePosition: 1 });
    const calls = kube.calls.length;
    await patchStatus(write(written), { phase: 'New' });
    expect(kube.calls).toHaveLength(calls);
    await patchStatus(write(written), { queuePosition: null });
    expect(kube.peek(target)?.['status']).toEqual({ phase: 'New' });
  });

  it('does not delete another object of the same name', async () => {
    const { kube, object, write } = await setUp();
    await kube.delete(target);
    const metadata = { name: 'b', namespace: 'velero' };
    const other = await kube.create(target, { apiVersion: 'velero.io/v1', kind: 'Backup', metadata });
    await deleteObject(write(object));
    expect(kube.peek(target)?.metadata.uid).toBe(other.metadata.uid);
  });
});
