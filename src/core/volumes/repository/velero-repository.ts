/**
 * How Velero (1.18) uses kopia, so that each can read what the other wrote: whose repository it is, and what stands on
 * a snapshot.
 */
export const REPOSITORY_USER = { username: 'default', hostname: 'default' } as const;
/** A pin keeps kopia from expiring the snapshot: backups expire, not snapshots. */
export const SNAPSHOT_PIN = 'velero-pin';
export const SNAPSHOT_DESCRIPTION = 'Kopia Uploader';
const REQUESTER = 'snapshot-pod-volume';
const UPLOADER = 'kopia';

/** The Secret with the password of all repositories, and what Velero puts there when it is missing. */
export const REPOSITORY_SECRET = {
  name: 'velero-repo-credentials',
  key: 'repository-password',
  defaultPassword: 'static-passw0rd',
} as const;

export interface VolumeSource {
  namespace: string;
  pod: string;
  /** The claim or, for another volume of the pod, its name there. */
  volume: string;
}

/** The source of a snapshot as kopia names it. It says nothing about where a volume was mounted: the next one finds it. */
export function snapshotSource({ namespace, pod, volume }: VolumeSource): string {
  const { username, hostname } = REPOSITORY_USER;
  return `${username}@${hostname}:${REQUESTER}/${UPLOADER}/${namespace}/${pod}/${volume}`;
}

/**
 * What Velero looks at when it seeks the snapshot before the one it makes. kopia's command line writes `tag:` before
 * every key and Velero does not, so that Velero does not build upon a snapshot of Headway, but Headway upon Velero's.
 */
export const REQUESTER_TAGS: Readonly<Record<string, string>> = {
  'snapshot-requester': REQUESTER,
  'snapshot-uploader': UPLOADER,
};
