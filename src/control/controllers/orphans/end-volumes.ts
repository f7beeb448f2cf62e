import { VolumePluginBackup, VolumePluginRestore, type ResourceType } from '../../../api/index.ts';
import { objectsAt, textAt } from '../../../base/index.ts';
import { isVolumeEnded, readVolumePhase } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { patchStatus, toTime } from '../../runtime/objects/index.ts';
import { isUploader } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';
import { backupsThat, restoresThat, type OrphanCaches } from './owners.ts';

/** Objects of volumes whose Backup or Restore was set aside would say for ever that they are being copied. */
export async function endVolumes(caches: OrphanCaches, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const kinds = [
    { type: VolumePluginBackup, volumes: caches.volumePluginBackups, ended: backupsThat(true, caches) },
    { type: VolumePluginRestore, volumes: caches.volumePluginRestores, ended: restoresThat(true, caches) },
  ];
  for (const { type, volumes, ended } of kinds) {
    for (const object of volumes.values()) if (isLeft(object, ended)) await end(type, object, deps, signal);
  }
}

/** What a native plugin works on is its own to end. */
function isLeft(object: KubeObject, ended: ReadonlySet<string>): boolean {
  const phase = readVolumePhase(textAt(object, 'status', 'phase'));
  if (isVolumeEnded(phase) || !isUploader(textAt(object, 'spec', 'plugin'))) return false;
  return objectsAt(object.metadata, 'ownerReferences').some((owner) => ended.has(textAt(owner, 'uid') ?? ''));
}

async function end(type: ResourceType, object: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const message = 'what it belongs to has ended without it';
  const status = { phase: 'Failed', message, completionTimestamp: toTime(deps.clock.now()) };
  await patchStatus({ type, object, deps, signal }, status);
}
