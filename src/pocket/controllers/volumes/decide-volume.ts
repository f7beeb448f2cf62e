import type { Claim, VolumeObject } from '../kinds/index.ts';
import { BOUND_BY_CONTROLLER, PROVISIONED_BY } from './claim-state.ts';
import { PROVISIONER } from './storage-classes.ts';

export type VolumeDecision =
  | { kind: 'phase'; phase: string; message?: string }
  /** The claim has another volume, and this one was our choice: it is free again. */
  | { kind: 'release' }
  | { kind: 'delete' };

/** What becomes of a volume; `claim` is what has the name in its claimRef now. */
export function decideVolume(volume: VolumeObject, claim: Claim | undefined): VolumeDecision {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return { kind: 'phase', phase: 'Available' };
  // Promised by a user to a claim that may come.
  if ((claimRef.uid ?? '') === '') return { kind: 'phase', phase: 'Available' };
  if (claim === undefined || claim.metadata.uid !== claimRef.uid) return reclaim(volume);
  const has = claim.spec.volumeName ?? '';
  if (has === volume.metadata.name) return { kind: 'phase', phase: 'Bound' };
  // Its claim is about to take it.
  if (has === '') return { kind: 'phase', phase: volume.status?.phase === 'Bound' ? 'Bound' : 'Available' };
  if (isProvisioned(volume) && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return { kind: 'delete' };
  if (volume.metadata.annotations?.[BOUND_BY_CONTROLLER] !== undefined) return { kind: 'release' };
  return { kind: 'phase', phase: 'Available' };
}

export function isProvisioned(volume: VolumeObject): boolean {
  return volume.metadata.annotations?.[PROVISIONED_BY] === PROVISIONER;
}

function reclaim(volume: VolumeObject): VolumeDecision {
  switch (volume.spec.persistentVolumeReclaimPolicy) {
    case 'Delete':
      if (isProvisioned(volume)) return { kind: 'delete' };
      return {
        kind: 'phase',
        phase: 'Failed',
        message: 'error getting deleter volume plugin for volume: no deletable volume plugin matched',
      };
    case 'Recycle':
      return { kind: 'phase', phase: 'Failed', message: 'No recycler plugin found for the volume!' };
    default:
      return { kind: 'phase', phase: 'Released' };
  }
}
