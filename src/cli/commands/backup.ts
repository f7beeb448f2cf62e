import { Command } from 'commander';
import type { createBackup } from '../actions/create.ts';
import { withBackupSpec } from '../flags/backup-flags.ts';
import { withServer, type ServerFlags } from '../flags/connection.ts';
import { outputOption, printInstead, withWait, type CommandScope } from './builder.ts';
import { addObjectCommands, addOperationCommands } from './noun.ts';

type CreateFlags = Parameters<typeof createBackup>[2];

export function backupCommand(scope: CommandScope): Command {
  const { deps, act } = scope;
  const backup = new Command('backup').description('back up the cluster, or parts of it');
  backup.addCommand(
    withServer(
      withBackupSpec(
        withWait(
          new Command('create')
            .description('back up the cluster, or the part that the flags select')
            .argument('[name]', 'name of the backup; may be left out with --from-schedule')
            .option('--from-schedule <name>', "take a schedule's spec; flags win over it")
            .option('--dry-run', 'show what would be backed up, and change nothing')
            .addOption(printInstead()),
          'show progress until it finishes; the exit code is its result',
        ),
      ),
    ).action(
      act(async (name: string | undefined, flags: CreateFlags) =>
        (await import('../actions/create.ts')).createBackup(deps, name, flags),
      ),
    ),
  );
  const words = { noun: 'backup', hasFiles: true } as const;
  addObjectCommands(backup, words, scope);
  addOperationCommands(backup, words, scope);
  backup.addCommand(
    withServer(
      new Command('verify')
        .description('read the archive of a backup and check that it is intact')
        .argument('<name>', 'name of the backup')
        .addOption(outputOption(['json', 'yaml'])),
    ).action(
      act(async (name: string, flags: ServerFlags & { output?: 'json' | 'yaml' }) =>
        (await import('../actions/verify.ts')).verifyBackup(deps, name, flags),
      ),
    ),
  );
  return backup;
}
