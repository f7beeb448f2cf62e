import type { Command, Option } from 'commander';
import { clustersOf } from '../flags/connection.ts';
import { kindsOf, namespaceOf, OPERATION_KINDS, type Kind } from '../objects/kinds.ts';
import type { CliDeps } from '../ports.ts';

export interface Candidate {
  word: string;
  about: string;
}

const DEADLINE_MS = 2000;

/** The nouns whose names are the values of a flag. */
const FLAG_NOUNS: Readonly<Record<string, string>> = {
  '--from-backup': 'backup',
  '--diff': 'backup',
  '--from-schedule': 'schedule',
  '--storage-location': 'location',
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
  const noun = FLAG_NOUNS[option.long ?? ''];
  return noun === undefined ? [] : await namesOf(deps, kindsOf(noun), words);
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
  if (first === 'inspect') return await namesOf(deps, kindsOf('backup'), before);
  if (first === 'watch') {
    const names = await namesOf(deps, OPERATION_KINDS, before);
    return names.map(({ word, noun }) => ({ word: `${noun}/${word}`, about: '' }));
  }
  return verb === 'create' ? [] : await namesOf(deps, kindsOf(first), before);
}

interface Name extends Candidate {
  noun: string;
}

/** Quick or not at all: a key press must not wait for a cluster that is away. */
async function namesOf(deps: CliDeps, kinds: readonly Kind[], words: readonly string[]): Promise<Name[]> {
  if (kinds.length === 0) return [];
  const flag = (...names: string[]): string | undefined => {
    const at = words.findLastIndex((word) => names.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  const [context, kubeconfig, given] = [flag('--context'), flag('--kubeconfig'), flag('-n', '--namespace')];
  const [choice = {}] = clustersOf({
    ...(context === undefined ? {} : { context: [context] }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  });
  const place = given === undefined ? { namespace: 'velero' } : { namespace: given, isOnly: true as const };
  try {
    await using session = await deps.connect(choice);
    const lists = await Promise.allSettled(
      kinds.map(async (kind) => {
        const namespace = namespaceOf(place, kind);
        const target = { type: kind.type, ...(namespace === undefined ? {} : { namespace }) };
        const names: Name[] = [];
        for await (const page of session.kube.list(target, { signal: deps.signal, deadlineMs: DEADLINE_MS })) {
          for (const { metadata } of page.items) names.push({ word: metadata.name, about: '', noun: kind.noun });
        }
        return names;
      }),
    );
    // A kind that is not there has no names; the others have.
    return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  } catch {
    // There is nobody to tell: the shell is waiting for a word, and there is none.
    return [];
  }
}
