import { Command } from 'commander';
import type { CommandScope } from './builder.ts';

export function moverCommand({ deps, act }: CommandScope): Command {
  return new Command('mover')
    .description('copy one volume, as a job file says; Headway runs this beside the volume')
    .argument('<file>', 'the job, as JSON')
    .addHelpText(
      'after',
      '\nPrints one JSON line at least once a second on standard error, the last of them "completed" or "failed".\n' +
        'An archive of a volume goes to standard output or comes from standard input. SIGTERM cancels.',
    )
    .action(act(async (file: string) => await deps.mover(file)));
}
