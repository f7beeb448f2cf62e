import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { PodVolumeBackup, VolumePluginBackup } from '../../../api/index.ts';
import { textAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { catchUp } from './catch-up.ts';

const VELERO = { type: PodVolumeBackup, namespace: 'velero', name: 'b-1' };
const ENDED: KubeObject = {
  apiVersion: 'velero.io/v1',
  kind: VolumePluginBackup.kind,
  metadata: { name: 'b-1', namespace: 'velero' },
  status: { phase: 'Failed', message: 'the mover was lost', progress: { bytesDone: 7 } },
};
const statusOf = (status: JsonObject): JsonObject => ({
  phase: textAt(status, 'phase') ?? '',
  message: textAt(status, 'message') ?? '',
});

async function placed(status: JsonObject) {
  const clock = new FakeClock();
  const kube = new ScriptedCluster(clock);
  const object = await kube.create(VELERO, {
    apiVersion: 'velero.io/v1',
    kind: PodVolumeBackup.kind,
    metadata: { name: 'b-1', namespace: 'velero' },
    status,
  });
  return { kube, object, deps: { kube, mayWrite: () => true } };
}
const never = new AbortController().signal;

describe('catching up after a kill between two writes', () => {
  it('ends the object of Velero as ours has ended, in its own words', async () => {
    const { kube, object, deps } = await placed({ phase: 'InProgress', startTimestamp: 'then' });
    await catchUp({ type: PodVolumeBackup, object, statusOf }, ENDED, deps, never);
    expect(kube.peek(VELERO)?.['status']).toEqual({
      ...{ phase: 'Failed', message: 'the mover was lost' },
      startTimestamp: 'then',
    });
  });

  it('leaves one alone that has ended', async () => {
    const { kube, object, deps } = await placed({ phase: 'Completed' });
    const calls = kube.calls.length;
    await catchUp({ type: PodVolumeBackup, object, statusOf }, ENDED, deps, never);
    expect(kube.calls).toHaveLength(calls);
  });

  it('does not overwrite what somebody has written since', async () => {
    const { kube, object, deps } = await placed({ phase: 'InProgress' });
    await kube.patch(VELERO, { kind: 'merge', body: { status: { phase: 'Canceled' } } });
    const late = catchUp({ type: PodVolumeBackup, object, statusOf }, ENDED, deps, never);
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(textAt(kube.peek(VELERO), 'status', 'phase')).toBe('Canceled');
  });
});
