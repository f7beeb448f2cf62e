import { Command } from 'commander';
import type { ScheduleFlags } from '../actions/schedule.ts';
import { withBackupSpec } from '../flags/backup-flags.ts';
import { withNamespace, type ConnectionFlags } from '../flags/connection.ts';
import { parseBoolean, parseSchedule } from '../flags/values.ts';
import { printInstead, type CommandScope } from './builder.ts';
import { addObjectCommands } from './noun.ts';

export function scheduleCommand(scope: CommandScope): Command {
  const { deps, act } = scope;
  const schedule = new Command('schedule').description('take backups on a schedule');
  schedule.addCommand(
    withNamespace(
      withBackupSpec(
        new Command('create')
          .description('create a schedule')
          .argument('<name>', 'name of the schedule')
          .requiredOption('--schedule <cron>', 'when: five cron fields, "@every 6h", "@daily"', parseSchedule)
          .option(
            '--use-owner-references-in-backup [bool]',
            'delete its backups when the schedule is deleted',
            parseBoolean,
          )
          .option('--paused [bool]', 'create it paused', parseBoolean)
          .option('--skip-immediately [bool]', 'skip the run that is due now', parseBoolean)
          .addOption(printInstead()),
      ),
    ).action(
      act(async (name: string, flags: ScheduleFlags) => {
        await (await import('../actions/schedule.ts')).createSchedule(deps, name, flags);
        return 0;
      }),
    ),
  );
  addObjectCommands(schedule, { noun: 'schedule' }, scope);
  schedule.addCommand(pausing('pause', { paused: true, does: 'stop creating backups until it is unpaused' }, scope));
  schedule.addCommand(
    pausing('unpause', { paused: false, does: 'resume creating backups' }, scope).option(
      '--skip-immediately [bool]',
      'skip the run that is due now',
      parseBoolean,
    ),
  );
  return schedule;
}

function pausing(
  verb: string,
  { paused, does }: { paused: boolean; does: string },
  { deps, act }: CommandScope,
): Command {
  return withNamespace(new Command(verb).description(does).argument('<names...>', 'names of the schedules')).action(
    act(async (names: string[], flags: ConnectionFlags & { skipImmediately?: boolean }) => {
      const [{ setPaused }, { withKube }] = await Promise.all([
        import('../actions/schedule.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      const skip = flags.skipImmediately === undefined ? {} : { skipImmediately: flags.skipImmediately };
      await withKube(deps, flags, (scope) => setPaused(scope, names, { paused, ...skip }));
      return 0;
    }),
  );
}
