import type { SelectionAnswer } from '../../../../core/operations/index.ts';
import type { BackupOptions } from '../backup-kind.ts';
import { dryRun, type DryRunDeps } from './dry-run.ts';

/** Whether the names in a backup match something in the cluster; looks no further than it must to know that. */
export async function selectionOfBackup(
  object: unknown,
  deps: DryRunDeps,
  options: BackupOptions,
  signal: AbortSignal,
): Promise<SelectionAnswer> {
  const found = await dryRun(object, deps, options, signal);
  if (found.validationErrors !== undefined) {
    return { validationErrors: found.validationErrors, unmatched: [], isNothing: false };
  }
  const { collector } = found;
  for await (const _ of collector.items()) if (collector.isSatisfied) break;
  const { unmatched, isNothing } = collector.selected;
  return { validationErrors: [], unmatched: [...unmatched], isNothing };
}
