import { textAt, type JsonObject } from '../../../base/index.ts';
import { actionForVolume, volumeFacts, type ResourcePolicies, type VolumeAction } from '../../selection/index.ts';
import { claimNameOf, claimUses, isRunning, obstacleOf, type Claim, type ClaimUse, type Pod } from './claim.ts';
import { fileSystemVolumes } from './pod-volumes.ts';

/** What happens to the data of one bound claim. */
export type VolumeChoice =
  /** A mover copies its files while this pod runs. */
  | { kind: 'copy'; claim: Claim; volume: string; use: ClaimUse }
  /** A native plugin takes a snapshot. */
  | { kind: 'snapshot'; claim: Claim; volume: string; plugin: string }
  /** Its data will not be in the backup. When nobody excluded it, that is said in a condition. */
  | { kind: 'none'; claim: Claim; volume: string; reason: string; isExcluded: boolean };

/** The files of a pod's volume that somebody wants and that cannot be copied, because no claim is behind it. */
export interface UncopiedPodVolume {
  pod: Pod;
  volumeName: string;
  reason: string;
}

export interface VolumeQuestion {
  claims: readonly Claim[];
  /** By name. */
  persistentVolumes: ReadonlyMap<string, JsonObject>;
  pods: readonly Pod[];
  policies?: ResourcePolicies | undefined;
  /** spec.defaultVolumesToFsBackup, with the server's default. */
  areFilesWanted: boolean;
  /** spec.snapshotVolumes; absent means that they are wanted. */
  snapshotVolumes?: boolean | undefined;
  /** The provider of the backup's VolumeSnapshotLocation, if it is one that takes snapshots here. */
  nativePlugin?: string | undefined;
}

export interface VolumeAnswer {
  choices: VolumeChoice[];
  uncopied: UncopiedPodVolume[];
}

const HOW_TO_ASK =
  'nobody asked for its files: annotate its pod with backup.velero.io/backup-volumes, or create the backup with ' +
  '--default-volumes-to-fs-backup';
const NO_POD = 'no running pod mounts it, so that no mover can read it';
const NO_SNAPSHOTS =
  'a resource policy asks for a snapshot, and no volume plugin takes one: the backup has no VolumeSnapshotLocation ' +
  'whose provider is a plugin, and CSI snapshots are not supported yet';

/** Velero's rules: a resource policy decides; else the pods' annotations; else a snapshot, where there can be one. */
export function chooseVolumes(question: VolumeQuestion): VolumeAnswer {
  const uses = claimUses(question.pods);
  const choices = question.claims.flatMap((claim): VolumeChoice[] => {
    const volume = textAt(claim.object, 'spec', 'volumeName');
    // An unbound claim has no data yet.
    if (volume === undefined) return [];
    const known = uses.get(`${claim.namespace}/${claim.name}`) ?? [];
    return [{ claim, volume, ...chooseFor(question, claim, volume, known) }];
  });
  return { choices, uncopied: uncopiedVolumes(question) };
}

type Outcome =
  | { kind: 'copy'; use: ClaimUse }
  | { kind: 'snapshot'; plugin: string }
  | { kind: 'none'; reason: string; isExcluded: boolean };

const excluded = (reason: string): Outcome => ({ kind: 'none', reason, isExcluded: true });
const missing = (reason: string): Outcome => ({ kind: 'none', reason, isExcluded: false });

function chooseFor(question: VolumeQuestion, claim: Claim, volume: string, uses: readonly ClaimUse[]): Outcome {
  const action = policyFor(question, claim, volume);
  switch (action?.type) {
    case 'skip':
      return excluded('a resource policy says to skip it');
    case 'fs-backup':
      return copyOf(claim, uses.filter(({ pod }) => isRunning(pod))[0]);
    case 'snapshot':
      return snapshotBy(question.nativePlugin) ?? missing(NO_SNAPSHOTS);
    case 'custom':
      return missing('a resource policy leaves it to a plugin of your own, which Headway cannot run');
    case undefined:
      return byAnnotation(question, claim, uses);
  }
}

function policyFor(
  { policies, persistentVolumes }: VolumeQuestion,
  claim: Claim,
  name: string,
): VolumeAction | undefined {
  if (policies === undefined) return undefined;
  const persistentVolume = persistentVolumes.get(name);
  const facts = volumeFacts({ claim: claim.object, ...(persistentVolume === undefined ? {} : { persistentVolume }) });
  return actionForVolume(policies, facts);
}

function byAnnotation(question: VolumeQuestion, claim: Claim, uses: readonly ClaimUse[]): Outcome {
  const { areFilesWanted, nativePlugin, snapshotVolumes } = question;
  const isWanted = ({ pod, volume }: ClaimUse): boolean =>
    fileSystemVolumes(pod.object, areFilesWanted).includes(volume);
  const wanted = uses.filter(isWanted);
  if (wanted.length > 0)
    return copyOf(
      claim,
      wanted.find(({ pod }) => isRunning(pod)),
    );
  const snapshot = snapshotVolumes === false ? undefined : snapshotBy(nativePlugin);
  if (snapshot !== undefined) return snapshot;
  const [use] = uses;
  if (areFilesWanted) {
    return use === undefined
      ? missing(NO_POD)
      : excluded(`pod ${use.pod.name} excludes it with backup.velero.io/backup-volumes-excludes`);
  }
  return snapshotVolumes === false ? excluded('the backup is without volumes (snapshotVolumes)') : missing(HOW_TO_ASK);
}

function copyOf(claim: Claim, use: ClaimUse | undefined): Outcome {
  const obstacle = obstacleOf(claim);
  if (obstacle !== undefined) return missing(obstacle);
  return use === undefined ? missing(NO_POD) : { kind: 'copy', use };
}

function snapshotBy(plugin: string | undefined): Outcome | undefined {
  return plugin === undefined ? undefined : { kind: 'snapshot', plugin };
}

/** A mover is a pod of its own: it can mount a claim, but not what exists only inside another pod. */
function uncopiedVolumes({ pods, policies, areFilesWanted }: VolumeQuestion): UncopiedPodVolume[] {
  return pods.flatMap((pod) =>
    fileSystemVolumes(pod.object, areFilesWanted).flatMap((volume) => {
      if (claimNameOf(pod, volume) !== undefined) return [];
      const action = policies === undefined ? undefined : actionForVolume(policies, volumeFacts({ podVolume: volume }));
      if (action !== undefined && action.type !== 'fs-backup') return [];
      const source = Object.keys(volume).find((key) => key !== 'name') ?? 'volume';
      const reason = isRunning(pod)
        ? `it is ${source}, which only its own pod can read; only claims are copied`
        : 'its pod does not run';
      return [{ pod, volumeName: textAt(volume, 'name') ?? '', reason }];
    }),
  );
}
