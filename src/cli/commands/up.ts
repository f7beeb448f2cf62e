import { Command } from 'commander';
import { parsePort } from '../flags/values.ts';
import type { DemoOptions } from '../ports.ts';
import { podsOption, withMoverPrograms, withMovers, type CommandScope } from './builder.ts';
import { credentialsRootOption } from './server.ts';

export function upCommand({ deps, act }: CommandScope): Command {
  const command = new Command('up')
    .description('start a pocket cluster with everything Headway needs, in the foreground')
    .option('--demo', 'create a sample application, back it up and restore it', false)
    .option('--no-demo', 'without the sample application')
    .option('--keep', "keep the demo's cluster and everything in it when it stops", false)
    .option('--listen <address>', 'address of the page and the API', '127.0.0.1:7443')
    .addOption(credentialsRootOption())
    .option(
      '--port <number>',
      "port of the pocket cluster's API (default: the one it had before, else a free one)",
      parsePort,
    )
    .addOption(podsOption());
  // To try it, nothing has to be installed and nothing to be annotated.
  return withMoverPrograms(withMovers(command, { uploader: 'stream', areFilesWanted: true })).action(
    act(async (flags: DemoOptions) => {
      await (await deps.demo()).run(flags, deps.output, deps.signal);
      return 0;
    }),
  );
}
