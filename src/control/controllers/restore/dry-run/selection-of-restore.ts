import type { SelectionAnswer } from '../../../../core/operations/index.ts';
import type { ReadDeps } from '../context.ts';
import type { RestoreOptions } from '../options.ts';
import { dryRun } from './dry-run.ts';

/** Whether the names in a restore match something in its backup; quicker than a dry run, because it does not compare with the cluster. */
export async function selectionOfRestore(
  object: unknown,
  deps: ReadDeps,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<SelectionAnswer> {
  return await dryRun<SelectionAnswer>(
    object,
    { deps, options, signal },
    {
      refused: (_backup, errors) => ({ validationErrors: [...errors], unmatched: [], isNothing: false }),
      open: ({ collected: { selected } }) =>
        Promise.resolve({ validationErrors: [], unmatched: [...selected.unmatched], isNothing: selected.isNothing }),
    },
  );
}
