import { objectAt, textAt } from '../../../base/index.ts';
import { isVolumeEnded, readVolumePhase } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { patchStatus, type ObjectDeps } from '../../runtime/objects/index.ts';
import type { ShownVolume } from './volume-run.ts';

/** Ends an object of a volume whose other one has ended: the process before was killed between the two writes. */
export async function catchUp(
  { type, object, statusOf = (status) => status }: ShownVolume,
  ended: KubeObject,
  deps: ObjectDeps,
  signal: AbortSignal,
): Promise<void> {
  if (isVolumeEnded(readVolumePhase(textAt(object, 'status', 'phase')))) return;
  await patchStatus({ type, object, deps, signal }, statusOf(objectAt(ended, 'status')));
}
