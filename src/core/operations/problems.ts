import { formatCount, objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { OperationFacts, ProblemGroup } from './operation.ts';
import { countAt } from './velero-status.ts';
import { ProblemGroups, type ProblemMessage } from './problem-groups.ts';

/** Conditions of an operation that waits for its turn. */
export const TURN_CONDITIONS: readonly string[] = ['Waiting', 'Queued'];
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
  const condition = trueConditions(status).find((each) => textAt(each, 'type') === DATA_MISSING);
  const [, count] = /^the data of (\d+) claims? is not in the backup/.exec(textAt(condition, 'message') ?? '') ?? [];
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
  const own = problemConditions(status).filter((each) => !REASONS_IN_RESULTS.includes(textAt(each, 'reason') ?? ''));
  return (countAt(status, 'warnings') ?? 0) + own.length;
}

function trueConditions(status: JsonObject): JsonObject[] {
  return objectsAt(status, 'conditions').filter((each) => textAt(each, 'status') === 'True');
}

function problemConditions(status: JsonObject): JsonObject[] {
  return trueConditions(status).filter((each) => !NO_PROBLEM.includes(textAt(each, 'type') ?? ''));
}

/** The problems that status itself names. */
export function statusProblems(status: JsonObject): ProblemGroup[] {
  const refused = valueAt(status, 'validationErrors');
  const errors = [
    ...(Array.isArray(refused) ? refused.filter((text) => typeof text === 'string') : []),
    ...[textAt(status, 'failureReason')].filter((text) => text !== undefined && text !== 'canceled'),
  ];
  const warnings = problemConditions(status).map((each) => textAt(each, 'message') ?? textAt(each, 'type') ?? '');
  return groupProblems([
    ...errors.map((text) => ({ level: 'error' as const, text: String(text) })),
    ...warnings.map((text) => ({ level: 'warning' as const, text })),
  ]);
}
