import { backupKeys } from '../../../../edge/store/index.ts';

/** Where the archive of a volume is: inside its backup, whatever the backup's files say. */
export function archiveKeyOf(backup: string, id: string): string {
  return `${backupKeys(backup).folder}volumes/${id}.tar.zst`;
}
