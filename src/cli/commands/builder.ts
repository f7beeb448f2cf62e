import { Option, type Command } from 'commander';
import type { CliDeps } from '../ports.ts';
import { parseBoolean, parseCount, parseDurationMs } from '../flags/values.ts';

/** What a command's definition gets. */
export interface CommandScope {
  deps: CliDeps;
  /** Makes an action's result the exit code; none means 0. */
  act: <A extends unknown[]>(action: (...args: A) => Promise<number | undefined>) => (...args: A) => Promise<void>;
}

export function outputOption(choices: readonly string[], byDefault?: string): Option {
  const option = new Option('-o, --output <format>', 'output format').choices(choices);
  return byDefault === undefined ? option : option.default(byDefault);
}

export function podsOption(): Option {
  return new Option('--pods <how>', 'pods as processes of this machine, or simulated')
    .choices(['processes', 'simulated'])
    .default('processes');
}

/** For what starts a pocket cluster: its pods have no images, and movers need these programs. */
export function withMoverPrograms(command: Command): Command {
  return command
    .option('--kopia <file>', 'kopia for pods of Headway (default: the one on the PATH)')
    .option('--restic <file>', 'restic for pods of Headway (default: the one on the PATH)');
}

/** For what runs the controllers: how the files of volumes are copied. */
export function withMovers(
  command: Command,
  defaults: { uploader: 'kopia' | 'stream'; areFilesWanted: boolean },
): Command {
  return command
    .addOption(
      new Option('--uploader <name>', 'who copies volumes: kopia (as Velero does) or stream (needs nothing installed)')
        .choices(['kopia', 'stream'])
        .default(defaults.uploader),
    )
    .option('--movers <n>', 'how many volumes are copied at once', parseCount, 8)
    .option('--movers-per-node <n>', 'how many volumes are copied at once on each node', parseCount, 2)
    .option(
      '--default-volumes-to-fs-backup [bool]',
      'whether volumes are copied file by file where a backup does not say',
      parseBoolean,
      defaults.areFilesWanted,
    );
}

/** For commands that create: velero prints the object then, and sends nothing. */
export function printInstead(): Option {
  return new Option('-o, --output <format>', 'print the object and do not create it').choices(['json', 'yaml']);
}

export function withTimeout(command: Command): Command {
  return command.option('--timeout <time>', 'stop waiting after this long, such as 10m (exit code 5)', parseDurationMs);
}

export function withWait(command: Command, what: string): Command {
  return withTimeout(command.option('-w, --wait', what));
}
