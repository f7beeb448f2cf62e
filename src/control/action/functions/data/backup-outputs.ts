import { AppError } from '../../../../base/index.ts';
import { resticSize, type DataOutput, type TakenBackup } from '../../../../core/action/index.ts';
import { OUTPUT_VERSION } from './data-work.ts';

/** The backup that a program has made. Throws where it said nothing of one. */
export function takenBackup(said: DataOutput): TakenBackup {
  if (said.backup !== undefined) return said.backup;
  throw new AppError('invalid', `Failed to parse the backup ID from logs, backup logs ${said.problem(0)}`);
}

/** As upstream's functions return it, all text. */
export function backupOutputs(said: DataOutput, tag: string): Record<string, string> {
  const { id, files, bytes, storedBytes } = takenBackup(said);
  return {
    backupID: id,
    backupTag: tag,
    fileCount: String(files),
    size: resticSize(bytes),
    phySize: storedBytes === undefined ? '' : resticSize(storedBytes),
    version: OUTPUT_VERSION,
  };
}
