import { adaptersOf } from '../../../src/core/operations/adapters.ts';
import type { Noun, OperationGroup, SessionCluster, SessionGroup } from '../../../src/core/operations/index.ts';

/** What whoever looks for operations of an API group has to know, of one cluster or of several that are alike. */
export interface GroupNote {
  key: string;
  /** True when nothing of the group can be seen there. */
  isUnseen: boolean;
  /** Something is in the way, which somebody could move. */
  isWarning: boolean;
  title: string;
  text: string;
  /** What to type, each with the words before it. */
  commands: { words: string; command: string }[];
}

interface Place {
  cluster: string;
  group: SessionGroup;
}

/** Of the clusters in view, those where the operations that are called so cannot be seen, or are not Headway's to run. */
export function groupNotes(noun: Noun, clusters: readonly SessionCluster[]): GroupNote[] {
  const name = groupOf(noun);
  const places: Place[] = clusters.flatMap((cluster) => {
    const group = cluster.groups?.find((each) => each.name === name);
    if (group === undefined || (group.isSeen && group.engine.state === 'on')) return [];
    return [{ cluster: cluster.name, group }];
  });
  const alike = Map.groupBy(places, ({ group }) => JSON.stringify(group.isSeen ? group.engine : group.missing));
  return [...alike].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const names = [first, ...others].map(({ cluster }) => cluster);
    const note = first.group.isSeen ? restingNote(noun, names, first.group) : unseenNote(noun, names, first.group);
    return [{ key, ...note }];
  });
}

export function groupOf(noun: Noun): OperationGroup | undefined {
  return adaptersOf(noun)[0]?.group;
}

type Note = Omit<GroupNote, 'key'>;

function unseenNote(noun: Noun, clusters: readonly string[], { missing }: SessionGroup): Note {
  const isOne = missing.length === 1;
  return {
    isUnseen: true,
    isWarning: false,
    title: `There are no ${noun}s in ${clustersText(clusters)}`,
    text: `${listText(missing)} ${isOne ? 'is' : 'are'} not installed there, or the server may not list ${isOne ? 'it' : 'them'}. Whatever appears is shown within a minute.`,
    commands: clusters.map((cluster) => ({
      words: 'Install:',
      command: `headway install --crds-only${contextFlag(cluster)}`,
    })),
  };
}

function restingNote(noun: Noun, clusters: readonly string[], { engine }: SessionGroup): Note {
  const { state, reason = 'it is not known why', hint = '' } = engine;
  const why = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return {
    isUnseen: false,
    isWarning: state === 'off',
    title: `Headway itself runs no ${noun}s in ${clustersText(clusters)}`,
    text: `${why}. Those that others run are shown all the same.`,
    commands: hint.split('\n').flatMap(commandIn),
  };
}

/** `Stop it with: kubectl …` */
function commandIn(line: string): GroupNote['commands'] {
  const cut = line.indexOf(': ');
  return cut < 0 ? [] : [{ words: line.slice(0, cut + 1), command: line.slice(cut + 2) }];
}

/** A server in a pod calls its own cluster so, and no kubeconfig does. */
function contextFlag(cluster: string): string {
  return cluster === 'in-cluster' ? '' : ` --context ${cluster}`;
}

function clustersText(names: readonly string[]): string {
  return `${names.length === 1 ? 'cluster' : 'clusters'} ${listText(names)}`;
}

function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
