import { CLAIMS, VOLUMES, type VolumeObject } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { timestamp } from '../timestamp.ts';
import { BOUND_BY_CONTROLLER } from './claim-state.ts';
import { decideVolume, isProvisioned } from './decide-volume.ts';
import type { VolumeDirectories } from './directories.ts';

/** Keeps the phase of every volume, and gives back or deletes those whose claim is gone. */
export function volumeController(deps: ControllerDeps, directories: VolumeDirectories): Controller {
  const { client } = deps;
  return {
    name: 'persistent-volume',
    watches: [
      watch(VOLUMES),
      watch(CLAIMS, function* ({ type, object }) {
        const { namespace, name } = object.metadata;
        if (type !== 'DELETED') {
          if (object.spec.volumeName !== undefined) yield `/${object.spec.volumeName}`;
          return;
        }
        for (const { metadata, spec } of client.list(VOLUMES)) {
          if (spec.claimRef?.name === name && spec.claimRef.namespace === namespace) yield `/${metadata.name}`;
        }
      }),
    ],
    reconcile: async ({ name }: ObjectKey) => {
      const volume = client.get(VOLUMES, '', name);
      if (volume === undefined) return undefined;
      const { namespace = '', name: claimName = '' } = volume.spec.claimRef ?? {};
      const decision = decideVolume(volume, client.get(CLAIMS, namespace, claimName));
      switch (decision.kind) {
        case 'phase':
          await setPhase(deps, volume, decision.phase, decision.message);
          break;
        case 'release':
          await client.update(VOLUMES, released(volume));
          break;
        case 'delete':
          await remove(deps, directories, volume);
      }
      return undefined;
    },
  };
}

async function setPhase(
  { client, clock }: ControllerDeps,
  volume: VolumeObject,
  phase: string,
  message?: string,
): Promise<void> {
  if (volume.status?.phase === phase) return;
  const lastPhaseTransitionTime = timestamp(clock.now());
  const status = { phase, lastPhaseTransitionTime, ...(message === undefined ? {} : { message }) };
  await client.update(VOLUMES, { ...volume, status }, 'status');
}

function released(volume: VolumeObject): VolumeObject {
  const { [BOUND_BY_CONTROLLER]: _ours, ...annotations } = volume.metadata.annotations ?? {};
  const { claimRef: _given, ...spec } = volume.spec;
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec };
}

/** Released first, so that the volume's protection lets it go; the directory before the object, which knows its path. */
async function remove(deps: ControllerDeps, directories: VolumeDirectories, volume: VolumeObject): Promise<void> {
  await setPhase(deps, volume, 'Released');
  const { path } = volume.spec.local ?? {};
  if (isProvisioned(volume) && path !== undefined) await directories.remove(path);
  if (!isGoing(volume)) await deps.client.delete(VOLUMES, '', volume.metadata.name);
}
