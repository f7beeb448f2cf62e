import type { Claim, StorageClass, VolumeObject } from '../kinds/index.ts';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, isFor, SELECTED_NODE } from './claim-state.ts';
import { matchVolume, satisfies } from './match-volume.ts';
import { PROVISIONER } from './storage-classes.ts';

export interface ClaimView {
  volumes(): readonly VolumeObject[];
  volume(name: string): VolumeObject | undefined;
  storageClass(name: string): StorageClass | undefined;
}

export type ClaimDecision =
  | { kind: 'bind'; volume: VolumeObject }
  | { kind: 'provision'; storageClass: StorageClass }
  | { kind: 'phase'; phase: 'Pending' | 'Lost' };

const PENDING: ClaimDecision = { kind: 'phase', phase: 'Pending' };
const LOST: ClaimDecision = { kind: 'phase', phase: 'Lost' };

/** What becomes of a claim. Once bound it is bound for good: without its volume it is lost. */
export function decideClaim(claim: Claim, view: ClaimView): ClaimDecision {
  const name = claim.spec.volumeName ?? '';
  if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return decideBound(claim, view.volume(name));
  return name === '' ? decideFree(claim, view) : decideNamed(claim, view.volume(name));
}

function decideFree(claim: Claim, view: ClaimView): ClaimDecision {
  const storageClass = view.storageClass(claim.spec.storageClassName ?? '');
  const isDelayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const isWanted = claim.metadata.annotations?.[SELECTED_NODE] !== undefined;
  const promised = view.volumes().find((one) => one.spec.claimRef !== undefined && isFor(one, claim));
  if (isDelayed && !isWanted && promised === undefined) return PENDING;
  const volume = matchVolume(claim, view.volumes());
  if (volume !== undefined) return { kind: 'bind', volume };
  // A selector chooses among volumes that are there; nobody can make one to order.
  const isOurs = storageClass?.provisioner === PROVISIONER && claim.spec.selector === undefined;
  return isOurs && promised === undefined ? { kind: 'provision', storageClass } : PENDING;
}

function decideBound(claim: Claim, volume: VolumeObject | undefined): ClaimDecision {
  if (volume === undefined) return LOST;
  const { claimRef } = volume.spec;
  return claimRef === undefined || claimRef.uid === claim.metadata.uid ? { kind: 'bind', volume } : LOST;
}

function decideNamed(claim: Claim, volume: VolumeObject | undefined): ClaimDecision {
  if (volume === undefined) return PENDING;
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return satisfies(volume, claim) ? { kind: 'bind', volume } : PENDING;
  return isFor(volume, claim) ? { kind: 'bind', volume } : PENDING;
}

/** The volume after it was given to the claim. */
export function boundVolume(volume: VolumeObject, claim: Claim): VolumeObject {
  const { namespace = '', name, uid = '', resourceVersion = '' } = claim.metadata;
  if (volume.spec.claimRef?.uid === uid) return volume;
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const annotations = { ...volume.metadata.annotations };
  if (volume.spec.claimRef === undefined) annotations[BOUND_BY_CONTROLLER] = 'yes';
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec: { ...volume.spec, claimRef } };
}

/** The claim after it was given the volume. */
export function boundClaim(claim: Claim, volume: VolumeObject): Claim {
  const annotations: Record<string, string> = { ...claim.metadata.annotations, [BIND_COMPLETED]: 'yes' };
  if ((claim.spec.volumeName ?? '') === '') annotations[BOUND_BY_CONTROLLER] = 'yes';
  const spec = { ...claim.spec, volumeName: volume.metadata.name };
  return { ...claim, metadata: { ...claim.metadata, annotations }, spec };
}

export function boundClaimStatus(volume: VolumeObject): NonNullable<Claim['status']> {
  const { accessModes = [], capacity = {} } = volume.spec;
  return { phase: 'Bound', accessModes: [...accessModes], capacity: { ...capacity } };
}
