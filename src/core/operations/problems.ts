import { formatCount, textAt, type JsonObject } from '../../base/index.ts';
import { missingInShort } from './missing-claims.ts';
import type { OperationFacts, ProblemGroup } from './operation.ts';
import { ProblemGroups, type ProblemMessage } from './problem-groups.ts';
import { countAt, textListAt, trueCondition, trueConditions } from './status-values.ts';

/** Conditions of an operation that waits for its turn. */
export const TURN_CONDITIONS: readonly string[] = ['Waiting', 'Queued', 'Postponed'];
/** Conditions that tell of something else than a problem. */
const NO_PROBLEM = [
  ...TURN_CONDITIONS,
  'Stalled',
  'Canceled',
  'Ready',
  'Available',
  'Completed',
  'Running',
  'Succeeded',
];

/** Groups similar problems; errors first, then the most frequent. */
export function groupProblems(messages: Iterable<ProblemMessage>): ProblemGroup[] {
  const groups = new ProblemGroups();
  for (const message of messages) groups.add(message);
  return groups.list();
}

/** Matches messages about claims, both in a condition and, one by one, in the results. */
const IS_MISSING = / is not in the backup\b/;

/** The problems in status and in the stored results, each once. */
export function mergeProblems(fromStatus: readonly ProblemGroup[], told: readonly ProblemGroup[]): ProblemGroup[] {
  const hasMissing = told.some(({ text }) => IS_MISSING.test(text));
  const texts = new Set(told.flatMap(({ examples }) => examples));
  const isTold = (text: string): boolean => texts.has(text) || (hasMissing && IS_MISSING.test(text));
  return [...fromStatus.filter(({ text }) => !isTold(text)), ...told];
}

/** What to mend first when there are several errors: the one that others follow from, or the cause that most share. */
export function rootCause(problems: readonly ProblemGroup[]): { text: string; count: number } | undefined {
  const errors = problems.filter(({ level }) => level === 'error');
  const [first, second] = errors;
  if (first === undefined || second === undefined) return undefined;
  const causeOf = ({ text }: ProblemGroup): string => text.slice(text.indexOf(': ') + 2);
  const cause = causeOf(first);
  const count = errors.filter((each) => causeOf(each) === cause).reduce((sum, each) => sum + each.count, 0);
  return { text: count > first.count ? cause : first.text, count };
}

const DATA_MISSING = 'VolumeDataMissing';

/** How many claims lack their data, from the condition that backups and restores carry. */
export function claimsWithoutData(status: JsonObject): number | undefined {
  const message = textAt(trueCondition(status, DATA_MISSING), 'message') ?? '';
  const [, count] = /^the data of (\d+) claims? is not in the backup/.exec(message) ?? [];
  return count === undefined ? undefined : Number(count);
}

/** The mark that a backup or restore carries wherever it is shown. */
export function dataGap({ claimsWithoutData: count }: OperationFacts): string | undefined {
  return count === undefined ? undefined : `without volume data (${formatCount(count)})`;
}

/** What the results name one by one is in Velero's count already. */
const REASONS_IN_RESULTS = ['NotInBackup'];

/** Velero's count, and one for each condition that it does not know. */
export function warningCount(status: JsonObject): number {
  const own = conditionsOf(status, 'warning').filter(
    (each) => !REASONS_IN_RESULTS.includes(textAt(each, 'reason') ?? ''),
  );
  return (countAt(status, 'warnings') ?? 0) + own.length;
}

/** Velero's count; of kinds that have none, how many errors they name. */
export function errorCount(status: JsonObject, failure: string | undefined): number {
  const named = [...textListAt(status, 'errors'), ...conditionsOf(status, 'error'), ...(failure ? [failure] : [])];
  return countAt(status, 'errors') ?? named.length;
}

/** What a condition tells by MTC's category; Velero's and Kanister's conditions have none, and are all warnings. */
const LEVELS: Readonly<Record<string, ProblemGroup['level'] | 'none'>> = {
  Critical: 'error',
  Error: 'error',
  Warn: 'warning',
  Required: 'none',
  Advisory: 'none',
};

function conditionsOf(status: JsonObject, level: ProblemGroup['level']): JsonObject[] {
  return trueConditions(status).filter((each) => {
    if (NO_PROBLEM.includes(textAt(each, 'type') ?? '')) return false;
    const category = textAt(each, 'category') ?? '';
    return (Object.hasOwn(LEVELS, category) ? LEVELS[category] : 'warning') === level;
  });
}

/** The problems that status itself names. */
export function operationProblems(status: JsonObject, failure?: string): ProblemGroup[] {
  const textOf = (each: JsonObject): string =>
    (textAt(each, 'type') === DATA_MISSING ? missingInShort(status) : undefined) ??
    textAt(each, 'message') ??
    textAt(each, 'type') ??
    '';
  const told = (level: ProblemGroup['level']): ProblemMessage[] =>
    conditionsOf(status, level).map((each) => ({ level, text: textOf(each) }));
  const errors = [
    ...textListAt(status, 'validationErrors'),
    ...textListAt(status, 'errors'),
    ...[textAt(status, 'failureReason'), failure].filter((text) => text !== undefined && text !== 'canceled'),
  ];
  return groupProblems([
    ...errors.map((text) => ({ level: 'error' as const, text: String(text) })),
    ...told('error'),
    ...told('warning'),
  ]);
}
