import { Command, CommanderError } from 'commander';
import { ERROR_CODES, isAppError, toAppError } from '../base/index.ts';
import { backupCommand } from './commands/backup.ts';
import { blueprintCommand } from './commands/blueprint.ts';
import type { CommandScope } from './commands/builder.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { inspectCommand } from './commands/inspect.ts';
import { installCommand, uninstallCommand } from './commands/install.ts';
import { locationCommand } from './commands/location.ts';
import { moverCommand } from './commands/mover.ts';
import { operationCommands } from './commands/operations.ts';
import { pocketCommand } from './commands/pocket.ts';
import { restoreCommand } from './commands/restore.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { serverCommand } from './commands/server.ts';
import { upCommand } from './commands/up.ts';
import { versionCommand } from './commands/version.ts';
import { watchCommand } from './commands/watch.ts';
import { tidyArguments } from './flags/arguments.ts';
import type { CliDeps } from './ports.ts';
import { asTyped } from './print/as-typed.ts';
import { errorText } from './print/error-text.ts';
import { Printer } from './print/printer.ts';

const EXIT_CODES = `
Exit codes:
  0 done · 1 the operation failed · 2 usage · 3 not found · 4 forbidden or unauthenticated
  5 unreachable or timed out · 130 interrupted`;

/** Runs one command line and returns the exit code of DESIGN §8; it never throws and never prints a stack trace. */
export async function runCli(args: readonly string[], deps: CliDeps): Promise<number> {
  let exitCode = 0;
  const program = buildProgram({
    deps,
    act:
      (action) =>
      async (...given) => {
        exitCode = (await action(...given)) ?? 0;
      },
  });
  try {
    await program.parseAsync(tidyArguments(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error, deps);
  }
}

function buildProgram(scope: CommandScope): Command {
  const { deps } = scope;
  const program = new Command(deps.programName)
    .description('Backs up, restores and migrates Kubernetes applications, and always tells you how far it has got.')
    .version(deps.version, '-V, --version', 'print the version of this program')
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => deps.output.columns,
      getErrHelpWidth: () => deps.output.columns,
      writeOut: (text) => {
        deps.output.text(text);
      },
      writeErr: (text) => {
        deps.output.noteText(text);
      },
      // As every other error begins.
      outputError: (text, write) => {
        write(text.replace(/^error: /, 'headway: '));
      },
    })
    .showHelpAfterError(helpHint(deps.programName))
    .addHelpText('after', EXIT_CODES);
  for (const command of [
    backupCommand(scope),
    restoreCommand(scope),
    ...operationCommands(scope),
    scheduleCommand(scope),
    locationCommand(scope),
    blueprintCommand(scope),
    watchCommand(scope),
    inspectCommand(scope),
    upCommand(scope),
    serverCommand(scope),
    installCommand(scope),
    uninstallCommand(scope),
    pocketCommand(scope),
    moverCommand(scope),
    versionCommand(scope),
    completionCommand(scope),
  ]) {
    // exitOverride and output are inherited only by commands made after they were set.
    program.addCommand(inherit(program, command));
  }
  program.addCommand(inherit(program, completeCommand(scope, program)), { hidden: true });
  return program;
}

/** The help of every visible command, for the reference. */
export function helpTexts(): { command: string; help: string }[] {
  const silent = new Printer({ out: () => undefined, err: () => undefined, isTerminal: false, columns: 80 });
  // Building the commands uses names and the output alone; running one is another matter, and nobody does.
  const deps = { version: '', programName: 'headway', output: silent } as unknown as CliDeps;
  const program = buildProgram({ deps, act: () => () => Promise.resolve() });
  const visit = (command: Command, path: string): { command: string; help: string }[] => [
    { command: path, help: command.helpInformation() },
    ...command
      .createHelp()
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .flatMap((child) => visit(child, `${path} ${child.name()}`)),
  ];
  return visit(program, 'headway');
}

function inherit(parent: Command, command: Command, path = parent.name()): Command {
  const own = `${path} ${command.name()}`;
  command.copyInheritedSettings(parent).showHelpAfterError(helpHint(own));
  for (const child of command.commands) inherit(parent, child, own);
  return command;
}

function helpHint(command: string): string {
  return `See usage with: ${command} --help`;
}

function reportFailure(error: unknown, deps: CliDeps): number {
  if (error instanceof CommanderError) {
    // Help and version end by an exception too; commander has printed everything already.
    return error.exitCode === 0 ? 0 : ERROR_CODES.usage.exitCode;
  }
  if (deps.signal.aborted && !isAppError(error)) return ERROR_CODES.canceled.exitCode;
  const failure = toAppError(error);
  const { message, hint } = errorText(failure);
  noteLines(deps.output, `headway: ${message}`);
  if (hint !== undefined) noteLines(deps.output, asTyped(hint, deps.programName));
  if (failure.code === 'bug') deps.output.note('This is a bug in Headway; please report it with the command you ran.');
  return failure.facts.exitCode;
}

/** Further lines are indented: a message of somebody else must not look like one of ours. */
function noteLines(output: Printer, text: string): void {
  for (const [at, line] of text.split('\n').entries()) output.note(at === 0 ? line : `  ${line}`);
}
