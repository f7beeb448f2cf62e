import { VolumePluginRestore } from '../../../../api/index.ts';
import { textAt } from '../../../../base/index.ts';
import { isVolumeEnded, readVolumePhase } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { Operation } from '../../../operation/index.ts';
import { patchStatus, toTime } from '../../../runtime/objects/index.ts';
import { isUploader, removeMovers } from '../../../volumes/index.ts';
import type { ControlDeps } from '../../ports.ts';

/** Ends the movers that an earlier process left, and says so on their objects. Their claims stay marked as unfilled. */
export async function endLeftVolumes(
  { object, api }: Pick<Operation, 'object' | 'api'>,
  deps: ControlDeps,
  { signal, message }: { signal: AbortSignal; message: string },
): Promise<void> {
  const { uid = '' } = object.metadata;
  const { kube, namespace, clock } = deps;
  await api(signal).call(() => removeMovers(uid, deps, signal));
  const left: KubeObject[] = [];
  const target = { type: VolumePluginRestore, namespace };
  for await (const { items } of kube.list(target, { labelSelector: `velero.io/restore-uid=${uid}`, signal })) {
    for (const item of items) if (isLeft(item)) left.push(item);
  }
  for (const volume of left) {
    const status = { phase: 'Canceled', message, completionTimestamp: toTime(clock.now()) };
    await patchStatus({ type: VolumePluginRestore, object: volume, deps, signal }, status);
  }
}

/** What a native plugin works on is its own to end. */
function isLeft(object: KubeObject): boolean {
  const phase = readVolumePhase(textAt(object, 'status', 'phase'));
  return !isVolumeEnded(phase) && isUploader(textAt(object, 'spec', 'plugin'));
}
