import { Backup, DeleteBackupRequest, type BackupPhase } from '../../../api/index.ts';
import { labelValue, textAt, valueAt } from '../../../base/index.ts';
import { isEnded } from '../../../core/backup/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';

const BACKUP_NAME_LABEL = 'velero.io/backup-name';
const BACKUP_UID_LABEL = 'velero.io/backup-uid';

/** What is known about the objects that a request names. */
export interface RequestFacts {
  backup: KubeObject | undefined;
  location: KubeObject | undefined;
}

/** Why the deletion of a backup does not begin, in Velero's words; undefined when it does. */
export function refusalOf(request: KubeObject, { backup, location }: RequestFacts): string | undefined {
  if (backupOf(request) === '') return 'spec.backupName is required';
  if (backup === undefined) return 'backup not found';
  const phase = textAt(backup, 'status', 'phase') as BackupPhase | undefined;
  if (!isEnded(phase)) return `backup is still in progress: it is ${phase ?? 'New'}, wait for its end or cancel it`;
  if (!ownsFiles(backup)) return undefined;
  const name = textAt(backup, 'spec', 'storageLocation') ?? '';
  if (location === undefined) return `backup storage location ${name} not found`;
  if (textAt(location, 'spec', 'accessMode') === 'ReadOnly') {
    return `cannot delete backup because backup storage location ${name} is currently in read-only mode`;
  }
  if (textAt(location, 'status', 'phase') !== 'Available') {
    return `cannot delete backup because backup storage location ${name} is currently unavailable`;
  }
  return undefined;
}

/**
 * False for a backup that was refused before it wrote anything: files under its name belong to another backup, and must
 * not be deleted with it.
 */
export function ownsFiles(backup: KubeObject): boolean {
  const refusals = valueAt(backup, 'status', 'validationErrors');
  if (Array.isArray(refusals) && refusals.length > 0) return false;
  return !(textAt(backup, 'status', 'failureReason') ?? '').includes('already exists in object storage');
}

export function backupOf(request: KubeObject): string {
  return textAt(request, 'spec', 'backupName') ?? '';
}

/** A request that has begun is for that one backup, whatever is created under its name later. */
export function isMeant(request: KubeObject, backup: KubeObject): boolean {
  const uid = request.metadata.labels?.[BACKUP_UID_LABEL];
  return textAt(request, 'status', 'phase') !== 'InProgress' || uid === undefined || uid === backup.metadata.uid;
}

/** If there are several requests for one backup, the oldest does the work. */
export function isFirst(request: KubeObject, all: Iterable<KubeObject>): boolean {
  for (const other of all) {
    const isOpen = textAt(other, 'status', 'phase') !== 'Processed' && other.metadata.deletionTimestamp === undefined;
    if (isOpen && backupOf(other) === backupOf(request) && isBefore(other, request)) return false;
  }
  return true;
}

function isBefore(a: KubeObject, b: KubeObject): boolean {
  const rank = (one: KubeObject): string => {
    // A request that has begun stays the first, whatever its age.
    const begun = textAt(one, 'status', 'phase') === 'InProgress' ? '0' : '1';
    return `${begun} ${textAt(one, 'metadata', 'creationTimestamp') ?? ''} ${one.metadata.name}`;
  };
  return rank(a) < rank(b);
}

export function requestLabels(backup: KubeObject): Record<string, string> {
  return {
    [BACKUP_NAME_LABEL]: labelValue(backup.metadata.name),
    ...(backup.metadata.uid === undefined ? {} : { [BACKUP_UID_LABEL]: backup.metadata.uid }),
  };
}

/** The request for an expired backup. Its name contains the backup's name and uid, so there is never a second one. */
export function expiryRequest(backup: KubeObject): KubeObject {
  const { name, namespace = '', uid = '' } = backup.metadata;
  return {
    apiVersion: `${Backup.group}/${Backup.version}`,
    kind: DeleteBackupRequest.kind,
    metadata: { name: `${name.slice(0, 240)}-${uid.slice(0, 8)}`, namespace, labels: requestLabels(backup) },
    spec: { backupName: name },
  };
}
