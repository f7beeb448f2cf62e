import type { Command, Option } from 'commander';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { clusterOf } from '../flags/connection.ts';
import { BACKUP, LOCATION, RESTORE, SCHEDULE } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';

export interface Candidate {
  word: string;
  about: string;
}

const DEADLINE_MS = 2000;

const NOUN_TYPES: Readonly<Record<string, ResourceType>> = {
  backup: BACKUP,
  restore: RESTORE,
  schedule: SCHEDULE,
  location: LOCATION,
};
const FLAG_TYPES: Readonly<Record<string, ResourceType>> = {
  '--from-backup': BACKUP,
  '--diff': BACKUP,
  '--from-schedule': SCHEDULE,
  '--storage-location': LOCATION,
};

/** What the last word could become: commands, flags, values of a flag, names of objects in the cluster. */
export async function complete(deps: CliDeps, program: Command, words: readonly string[]): Promise<Candidate[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, path } = descend(program, before);
  const previous = before.at(-1) ?? '';
  const option = command.options.find((each) => each.short === previous || each.long === previous);
  const all =
    option !== undefined && option.required
      ? await valuesOf(deps, option, before)
      : current.startsWith('-')
        ? flagsOf(command)
        : await wordsOf(deps, { command, path, before });
  return all.filter(({ word }) => word.startsWith(current));
}

function descend(program: Command, words: readonly string[]): { command: Command; path: string[] } {
  let command = program;
  const path: string[] = [];
  for (const word of words) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) continue;
    command = child;
    path.push(word);
  }
  return { command, path };
}

function flagsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ word: option.long ?? option.flags, about: option.description }));
}

async function valuesOf(deps: CliDeps, option: Option, words: readonly string[]): Promise<Candidate[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((word) => ({ word, about: '' }));
  const type = FLAG_TYPES[option.long ?? ''];
  return type === undefined ? [] : await namesOf(deps, type, words);
}

async function wordsOf(
  deps: CliDeps,
  { command, path, before }: { command: Command; path: readonly string[]; before: readonly string[] },
): Promise<Candidate[]> {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ word: child.name(), about: child.description() }));
  if (children.length > 0) return children;
  const [first = '', verb = ''] = path;
  if (first === 'completion')
    return (command.registeredArguments[0]?.argChoices ?? []).map((word) => ({ word, about: '' }));
  if (first === 'inspect') return await namesOf(deps, BACKUP, before);
  if (first === 'watch') {
    const both = await Promise.all([namesOf(deps, BACKUP, before), namesOf(deps, RESTORE, before)]);
    return both.flatMap((names, at) =>
      names.map((name) => ({ ...name, word: `${at === 0 ? 'backup' : 'restore'}/${name.word}` })),
    );
  }
  const type = NOUN_TYPES[first];
  return type === undefined || verb === 'create' ? [] : await namesOf(deps, type, before);
}

/** Quick or not at all: a key press must not wait for a cluster that is away. */
async function namesOf(deps: CliDeps, type: ResourceType, words: readonly string[]): Promise<Candidate[]> {
  const flag = (...names: string[]): string | undefined => {
    const at = words.findLastIndex((word) => names.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  const [context, kubeconfig] = [flag('--context'), flag('--kubeconfig')];
  const choice = clusterOf({
    ...(context === undefined ? {} : { context }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  });
  try {
    await using session = await deps.connect(choice);
    const target = { type, namespace: flag('-n', '--namespace') ?? 'velero' };
    const names: Candidate[] = [];
    for await (const page of session.kube.list(target, { signal: deps.signal, deadlineMs: DEADLINE_MS })) {
      for (const { metadata } of page.items) names.push({ word: metadata.name, about: '' });
    }
    return names;
  } catch {
    // There is nobody to tell: the shell is waiting for a word, and there is none.
    return [];
  }
}
