import { Command, Option } from 'commander';
import type { createLocation } from '../actions/location.ts';
import { withNamespace } from '../flags/connection.ts';
import { parseDuration, parseMap } from '../flags/values.ts';
import { printInstead, type CommandScope } from './builder.ts';
import { addObjectCommands } from './noun.ts';

type CreateFlags = Parameters<typeof createLocation>[2];

export function locationCommand(scope: CommandScope): Command {
  const { deps, act } = scope;
  const location = new Command('location').description('places where backups are stored');
  location.addCommand(
    withNamespace(
      new Command('create')
        .description('add a location: an S3 bucket or a directory')
        .argument('<name>', 'name of the location')
        .requiredOption('--provider <name>', 'aws for S3, headway.io/fs for a directory')
        .requiredOption('--bucket <name>', 'bucket that holds the backups')
        .option('--prefix <path>', 'folder inside the bucket')
        .option('--config <map>', 'provider settings, such as region=eu,s3Url=https://s3.example.org', parseMap)
        .option('--credentials-file <file>', 'AWS credentials file; it becomes a Secret that goes with the location')
        .option('--credential <secret=key>', 'existing Secret with the credentials, and the key inside it', parseMap)
        .option('--cacert <file>', 'PEM file with certificates to trust')
        .option('--default', 'use it for backups that name no location')
        .addOption(
          new Option('--access-mode <mode>', 'whether backups can be written').choices(['ReadWrite', 'ReadOnly']),
        )
        .option('--backup-sync-period <time>', 'how often to look for backups made by other clusters', parseDuration)
        .option('--validation-frequency <time>', 'how often to check it', parseDuration)
        .option('--labels <map>', 'labels of the location, key=value,…', parseMap)
        .option('--annotations <map>', 'annotations of the location, key=value,…', parseMap)
        .addOption(printInstead()),
    ).action(
      act(async (name: string, flags: CreateFlags) => {
        await (await import('../actions/location.ts')).createLocation(deps, name, flags);
        return 0;
      }),
    ),
  );
  addObjectCommands(location, { noun: 'location' }, scope);
  return location;
}
