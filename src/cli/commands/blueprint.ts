import { Command } from 'commander';
import { outputOption, type CommandScope } from './builder.ts';

export function blueprintCommand({ deps, act }: CommandScope): Command {
  const blueprint = new Command('blueprint').description('how applications are backed up and restored by actions');
  blueprint.addCommand(
    new Command('validate')
      .description('check Blueprints in files, without a cluster')
      .argument('<files...>', 'YAML or JSON files with Blueprints')
      .addOption(outputOption(['text', 'json'], 'text'))
      .addHelpText(
        'after',
        '\nEvery problem is told at once. Exit code 1 if one of them keeps an action from running or a phase from succeeding;\n' +
          'what is only likely a mistake is marked with ! and changes nothing.',
      )
      .action(
        act(async (files: string[], flags: { output?: string }) => {
          const { validateBlueprints } = await import('../actions/validate-blueprints.ts');
          return await validateBlueprints(deps, files, { asJson: flags.output === 'json' });
        }),
      ),
  );
  return blueprint;
}
