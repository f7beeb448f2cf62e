import { Command } from 'commander';
import type { createRestore, CreateFlags } from '../actions/create.ts';
import { withServer } from '../flags/connection.ts';
import { withRestoreSpec } from '../flags/restore-flags.ts';
import { printInstead, withWait, type CommandScope } from './builder.ts';
import { addObjectCommands, addOperationCommands } from './noun.ts';

type RestoreCreateFlags = Parameters<typeof createRestore>[2];

const WAIT = 'show progress until it finishes; the exit code is its result';

export function restoreCommand(scope: CommandScope): Command {
  const { deps, act } = scope;
  const restore = new Command('restore').description('restore what is in a backup');
  restore.addCommand(
    withServer(
      withRestoreSpec(
        withWait(
          new Command('create')
            .description('restore a backup, or the part that the flags select')
            .argument('[name]', 'name of the restore (default: the name of the backup and the time)')
            .option(
              '--dry-run',
              'show what would be created, what exists and what cannot be restored, and change nothing',
            )
            .addOption(printInstead()),
          WAIT,
        ),
      ),
    ).action(
      act(async (name: string | undefined, flags: RestoreCreateFlags) =>
        (await import('../actions/create.ts')).createRestore(deps, name, flags),
      ),
    ),
  );
  const words = { noun: 'restore', hasFiles: true } as const;
  addObjectCommands(restore, words, scope);
  addOperationCommands(restore, words, scope);
  restore.addCommand(
    withServer(
      withWait(
        new Command('retry')
          .description('restore again, but only what failed or was never reached')
          .argument('<name>', 'the restore that failed or was canceled')
          .option('--name <name>', 'name of the new restore')
          .option('--dry-run', 'show what would be restored, and change nothing')
          .addOption(printInstead()),
        WAIT,
      ),
    ).action(
      act(async (name: string, flags: CreateFlags & { name?: string }) =>
        (await import('../actions/retry.ts')).retryRestore(deps, { name, as: flags.name }, flags),
      ),
    ),
  );
  return restore;
}
