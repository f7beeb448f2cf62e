import { Option, type Command } from 'commander';
import type { CliDeps } from '../ports.ts';
import { parseDurationMs } from '../flags/values.ts';

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
