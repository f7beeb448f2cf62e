import { Command } from 'commander';
import { addActionCommands } from './action.ts';
import type { CommandScope } from './builder.ts';
import { addObjectCommands, addOperationCommands, type NounWords } from './noun.ts';

/** Nouns whose objects mostly other programs, manifests or other operations create. */
const NOUNS: readonly (NounWords & { description: string })[] = [
  {
    noun: 'volume',
    description: 'copies of volumes, by whichever plugin or mover',
    usual: 'velero, and openshift-migration for direct migrations',
    one: 'copy of a volume',
    many: 'copies of volumes',
    deletes: 'delete records of copies of volumes; no data goes with them',
  },
  {
    noun: 'action',
    description: 'action sets of Kanister, with their phases',
    usual: 'all',
    deletes: 'delete actions; what their phases did stays',
  },
  {
    noun: 'migration',
    description: 'migrations from cluster to cluster, with their steps',
    usual: 'openshift-migration',
    deletes: 'delete migrations; what they migrated stays',
  },
];

/** `headway volume`, `headway action` and `headway migration`: to see and to stop; actions also to start. */
export function operationCommands(scope: CommandScope): Command[] {
  return NOUNS.map(({ description, ...words }) => {
    const command = new Command(words.noun).description(description);
    if (words.noun === 'action') addActionCommands(command, scope);
    addObjectCommands(command, words, scope);
    addOperationCommands(command, words, scope);
    return command;
  });
}
