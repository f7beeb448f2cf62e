import { AppError, isObject, messageOf, parseJson, textAt, type Json } from '../../../base/index.ts';

/** What BackupDataAll says of each pod, and RestoreDataAll and DeleteDataAll read. */
export interface BackupInfo {
  podName: string;
  backupId: string;
  backupTag: string;
}

/** As upstream writes it: a map from the pod, in the order of names. */
export function formatBackupInfo(infos: readonly BackupInfo[]): string {
  const sorted = [...infos].sort((one, other) => (one.podName < other.podName ? -1 : 1));
  return JSON.stringify(
    Object.fromEntries(
      sorted.map(({ podName, backupId, backupTag }) => [
        podName,
        { PodName: podName, BackupID: backupId, BackupTag: backupTag },
      ]),
    ),
  );
}

/** Throws `invalid` for anything else. */
export function parseBackupInfo(text: string): BackupInfo[] {
  let json: Json;
  try {
    json = parseJson(text) as Json;
  } catch (error) {
    throw new AppError('invalid', `backupInfo: Could not decode JSON data: ${messageOf(error)}`);
  }
  if (!isObject(json)) throw new AppError('invalid', 'backupInfo: expected what BackupDataAll returned');
  return Object.entries(json).map(([podName, info]) => {
    const backupId = isObject(info) ? textAt(info, 'BackupID') : undefined;
    if (backupId === undefined) throw new AppError('invalid', `backupInfo: ${podName} has no BackupID`);
    return { podName, backupId, backupTag: textAt(info, 'BackupTag') ?? '' };
  });
}
