import type { Claim, VolumeObject } from '../kinds/index.ts';
import { isGoing } from '../pod-state.ts';
import { isEmptySelector, matchesSelector } from '../selector.ts';
import { bytesOf, isFor } from './claim-state.ts';

/** The volume for a claim: one that is promised to it, else the smallest that fits. */
export function matchVolume(claim: Claim, volumes: readonly VolumeObject[]): VolumeObject | undefined {
  const usable = volumes.filter((volume) => !isGoing(volume) && isLargeEnough(volume, claim) && hasMode(volume, claim));
  const promised = usable.find((volume) => volume.spec.claimRef !== undefined && isFor(volume, claim));
  if (promised !== undefined) return promised;
  return usable
    .filter(
      (volume) => volume.spec.claimRef === undefined && volume.status?.phase === 'Available' && fits(volume, claim),
    )
    .toSorted(bySize)[0];
}

/** Whether a volume that the claim names is one it may have. */
export function satisfies(volume: VolumeObject, claim: Claim): boolean {
  return isLargeEnough(volume, claim) && hasMode(volume, claim) && hasClass(volume, claim) && hasAccess(volume, claim);
}

function fits(volume: VolumeObject, claim: Claim): boolean {
  const { selector } = claim.spec;
  const isSelected = isEmptySelector(selector) || matchesSelector(selector, volume.metadata.labels);
  return isSelected && hasClass(volume, claim) && hasAccess(volume, claim);
}

function isLargeEnough(volume: VolumeObject, claim: Claim): boolean {
  return bytesOf(volume.spec.capacity?.storage) >= bytesOf(claim.spec.resources?.requests?.storage);
}

function hasMode(volume: VolumeObject, claim: Claim): boolean {
  return (volume.spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem');
}

function hasClass(volume: VolumeObject, claim: Claim): boolean {
  return (volume.spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '');
}

function hasAccess(volume: VolumeObject, claim: Claim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode) === true);
}

function bySize(a: VolumeObject, b: VolumeObject): number {
  const difference = bytesOf(a.spec.capacity?.storage) - bytesOf(b.spec.capacity?.storage);
  return difference || (a.metadata.name < b.metadata.name ? -1 : 1);
}
