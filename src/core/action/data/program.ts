import type { DataLocation, DataRepository } from './data-location.ts';
import { LIBRARY } from './library.ts';
import { VERBS } from './verbs.ts';

/** What moves data; the repository that is there decides unless one is asked for. */
export type DataMover = 'kopia' | 'restic';

/** The variable through which a pod gets its program. */
export const PROGRAM_VARIABLE = 'HEADWAY_PROGRAM';
/** The command of such a pod. */
export const POD_COMMAND: readonly string[] = ['sh', '-c', `eval "$${PROGRAM_VARIABLE}"`];

const END = '#headway-end';
/** Half a program, after a broken connection, must not be run. */
const READER = [
  `program=; end=; while IFS= read -r line; do if [ "$line" = '${END}' ]; then end=1; break; fi; program="$program$line`,
  `"; done; if [ -z "$end" ]; then exit 70; fi; unset end line; eval "$program"`,
].join('\n');
/** The command that runs a program which it gets through its standard input: command lines can be read by everybody. */
export const CONTAINER_COMMAND: readonly string[] = ['sh', '-c', READER];

export function programInput(program: string): string {
  return `${program}\n${END}\n`;
}

/** What identifies the run of a program in a container, so that it can be ended there. */
export interface DataJob {
  /** The same for all attempts. */
  id: string;
  attempt: number;
}

export type DataStep = { repository: DataRepository } & (
  | { verb: 'backup'; path: string; tag: string }
  | { verb: 'restore'; backup: BackupName; target: string; path: string }
  | { verb: 'forget'; backup: BackupName; isReclaimed: boolean }
  | { verb: 'measure'; id: string; mode: string }
  | { verb: 'check' }
);

export type BackupName = { id: string } | { tag: string };

export interface ProgramOptions {
  job: DataJob;
  mover: DataMover | undefined;
  location: DataLocation;
  steps: readonly DataStep[];
}

/** The text of a shell program that does the steps one after the other. It holds the keys of the store. */
export function dataProgram({ job, mover = '' as DataMover, location, steps }: ProgramOptions): string {
  const variables = Object.entries(location.env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return [
    'set -u',
    'umask 077',
    `unset ${PROGRAM_VARIABLE}`,
    `job=${quoted(job.id)} attempt=${String(job.attempt)} wanted=${quoted(mover)}`,
    `restic_flags=${quoted(location.resticFlags.join(' '))}`,
    ...variables,
    LIBRARY,
    VERBS,
    ...steps.flatMap((step) => [...repositoryWords(step.repository), stepWords(step)]),
  ].join('\n');
}

/** Ends what a program has started in a container and nobody waits for any more. */
export function endingCommand({ id }: DataJob): string[] {
  const script =
    'for pid in "$' + '{TMPDIR:-/tmp}/headway-$0"-*/pid; do [ -s "$pid" ] && kill "$(cat "$pid")"; done; true';
  return ['sh', '-c', script, id];
}

function repositoryWords({ location, restic, kopia, directory = '' }: DataRepository): string[] {
  return [
    `location=${quoted(location)} directory=${quoted(directory)}`,
    `export RESTIC_REPOSITORY=${quoted(restic)}`,
    // Who made a repository may maintain it, so everybody has one name.
    `with_storage() { "$@" ${kopia.map(quoted).join(' ')} --override-username=kanister --override-hostname=headway; }`,
  ];
}

function stepWords(step: DataStep): string {
  const words = (verb: string, ...args: string[]): string => [verb, ...args.map(quoted)].join(' ');
  switch (step.verb) {
    case 'backup':
      return words('backup', step.path, step.tag);
    case 'restore':
      return words('restore', ...named(step.backup), step.target, step.path);
    case 'forget':
      return words('forget', ...named(step.backup), step.isReclaimed ? 'yes' : 'no');
    case 'measure':
      return words('measure', step.id, step.mode);
    case 'check':
      return 'check';
  }
}

function named(backup: BackupName): [string, string] {
  return 'tag' in backup ? ['tag', backup.tag] : ['id', backup.id];
}

/** One word of the shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
