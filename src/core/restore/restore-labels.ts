import { labelValue, type JsonObject } from '../../base/index.ts';
import { labelsOf, withValue, withoutKeys } from './fields.ts';

export { labelValue };

export const BACKUP_NAME_LABEL = 'velero.io/backup-name';
export const RESTORE_NAME_LABEL = 'velero.io/restore-name';

export interface RestoreNames {
  restoreName: string;
  backupName: string;
}

/** Every restored object except a namespace says where it came from. */
export function withRestoreLabels(item: JsonObject, { restoreName, backupName }: RestoreNames): JsonObject {
  return withValue(item, ['metadata', 'labels'], {
    ...labelsOf(item),
    [BACKUP_NAME_LABEL]: labelValue(backupName),
    [RESTORE_NAME_LABEL]: labelValue(restoreName),
  });
}

export function withoutRestoreLabels(item: JsonObject): JsonObject {
  return withoutKeys(item, ['metadata', 'labels'], [BACKUP_NAME_LABEL, RESTORE_NAME_LABEL]);
}
