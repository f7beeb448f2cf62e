import { quantityValue } from '../../builtins/index.ts';
import type { Claim, VolumeObject } from '../kinds/index.ts';

/** The scheduler's word to the provisioner, on claims that wait for their first consumer. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** Says that the binder chose, and may choose again; what a user chose is left as it is. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

export function isBound(claim: Claim): boolean {
  return claim.status?.phase === 'Bound' && (claim.spec.volumeName ?? '') !== '';
}

/** The volume is promised to this claim, or to one of its name when no uid is given. */
export function isFor(volume: VolumeObject, claim: Claim): boolean {
  const { claimRef } = volume.spec;
  if (claimRef?.name !== claim.metadata.name || claimRef.namespace !== claim.metadata.namespace) return false;
  return (claimRef.uid ?? '') === '' || claimRef.uid === claim.metadata.uid;
}

/** Bytes of a quantity that the API server has accepted; 0 when there is none. */
export function bytesOf(quantity: string | undefined): number {
  return quantityValue(quantity ?? '') ?? 0;
}
