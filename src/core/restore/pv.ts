import { textAt, type JsonObject } from '../../base/index.ts';
import type { BackupVolumeInfo } from '../backup/index.ts';
import type { VolumeFinding } from '../volumes/index.ts';
import { nameOf, withValue, withoutKeys } from './fields.ts';
import { mapNamespace, type NamespaceMapping } from './namespace-mapping.ts';

/** What happens to one persistent volume. */
export type VolumeDecision =
  /** The object is restored unchanged: its data was never in the backup and is still where it was. */
  | { kind: 'asIs' }
  /** The object is not restored, and the claim gets a new, empty volume. */
  | { kind: 'provision'; reason: string }
  /** The object is not restored: the claim gets a new volume, which is filled with the data of the backup. */
  | { kind: 'data' }
  /**
   * Its data is in the backup but cannot be restored. Neither volume nor claim is created: an empty one would be
   * misleading.
   */
  | { kind: 'fail'; message: string };

export interface VolumeOptions {
  /** False: the user does not want the data of volumes. */
  restorePVs: boolean;
  /** What the backup has of a claim's data, as `namespace/name`. */
  dataOf(claim: string): VolumeFinding | undefined;
}

const BINDING = ['pv.kubernetes.io/bind-completed', 'pv.kubernetes.io/bound-by-controller'];

export function decideVolume(
  volume: JsonObject,
  info: BackupVolumeInfo | undefined,
  options: VolumeOptions,
): VolumeDecision {
  const method = info?.backupMethod;
  const what = `PersistentVolume ${nameOf(volume)}`;
  const finding = options.restorePVs ? options.dataOf(claimOf(volume, info)) : undefined;
  if (finding !== undefined) return decideClaim(what, finding);
  if (method !== undefined && options.restorePVs) {
    return refuse(
      what,
      info?.result === 'failed'
        ? `its ${method} failed when it was backed up`
        : `it was backed up by ${method}, and this server has nothing that reads that`,
    );
  }
  const reclaim = textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') ?? info?.pvInfo?.reclaimPolicy;
  // A volume that is deleted with its claim is gone; a retained one still exists for the old object to point to.
  if (reclaim === 'Delete') {
    return { kind: 'provision', reason: 'it has no data to restore and its reclaim policy is Delete' };
  }
  return { kind: 'asIs' };
}

/** What happens to a claim, and to its volume, whose data somebody was to copy. */
export function decideClaim(what: string, finding: VolumeFinding): VolumeDecision {
  if ('problem' in finding) return refuse(what, finding.problem);
  return 'data' in finding ? { kind: 'data' } : { kind: 'provision', reason: 'it was empty when it was backed up' };
}

function refuse(what: string, why: string): VolumeDecision {
  return { kind: 'fail', message: `cannot restore the data of ${what}: ${why}` };
}

function claimOf(volume: JsonObject, info: BackupVolumeInfo | undefined): string {
  const namespace = textAt(volume, 'spec', 'claimRef', 'namespace') ?? info?.pvcNamespace ?? '';
  return `${namespace}/${textAt(volume, 'spec', 'claimRef', 'name') ?? info?.pvcName ?? ''}`;
}

/** By the name of the volume. If the backup has no volume information, the reclaim policy decides. */
export function decideVolumes(
  volumes: Iterable<JsonObject>,
  infos: readonly BackupVolumeInfo[],
  options: VolumeOptions,
): Map<string, VolumeDecision> {
  const byVolume = new Map(infos.map((info) => [info.pvName, info]));
  const decisions = new Map<string, VolumeDecision>();
  for (const volume of volumes) {
    decisions.set(nameOf(volume), decideVolume(volume, byVolume.get(nameOf(volume)), options));
  }
  return decisions;
}

/** Why the data of a claim is not in the backup; undefined if it is. */
export function missingData(info: BackupVolumeInfo | undefined): string | undefined {
  if (info === undefined) return 'the backup says nothing about its volume';
  if (info.skipped || info.backupMethod === undefined) return info.skippedReason ?? 'it was skipped';
  return info.result === 'failed' ? `its ${info.backupMethod} failed` : undefined;
}

/** A volume that can be bound again, to the claim of the same name in the mapped namespace. */
export function resetVolume(volume: JsonObject, mapping: NamespaceMapping): JsonObject {
  const unbound = withoutKeys(volume, ['metadata', 'annotations'], BINDING);
  const claim = ['spec', 'claimRef'];
  const anonymous = withoutKeys(unbound, claim, ['uid', 'resourceVersion']);
  const namespace = textAt(anonymous, ...claim, 'namespace');
  if (namespace === undefined) return anonymous;
  return withValue(anonymous, [...claim, 'namespace'], mapNamespace(namespace, mapping));
}

/** A claim whose volume is not restored must not name it, or it would wait for it. */
export function resetClaim(claim: JsonObject, decision: VolumeDecision | undefined): JsonObject {
  const unbound = withoutKeys(claim, ['metadata', 'annotations'], BINDING);
  const isNew = decision?.kind === 'provision' || decision?.kind === 'data';
  return isNew ? withValue(unbound, ['spec', 'volumeName'], undefined) : unbound;
}
