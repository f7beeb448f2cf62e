import { objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { ProblemGroup } from './operation.ts';
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

/** Whose data is missing, in a few words. */
export function missingData(problems: readonly ProblemGroup[]): string | undefined {
  const found = problems.find(({ level, text }) => level === 'warning' && IS_MISSING.test(text));
  return found?.text.split(': ', 1)[0];
}

/** The problems that status itself names. */
export function statusProblems(status: JsonObject): ProblemGroup[] {
  const refused = valueAt(status, 'validationErrors');
  const errors = [
    ...(Array.isArray(refused) ? refused.filter((text) => typeof text === 'string') : []),
    ...[textAt(status, 'failureReason')].filter((text) => text !== undefined && text !== 'canceled'),
  ];
  const conditions = objectsAt(status, 'conditions').filter(
    (each) => textAt(each, 'status') === 'True' && !NO_PROBLEM.includes(textAt(each, 'type') ?? ''),
  );
  const warnings = conditions.map((each) => textAt(each, 'message') ?? textAt(each, 'type') ?? '');
  return groupProblems([
    ...errors.map((text) => ({ level: 'error' as const, text: String(text) })),
    ...warnings.map((text) => ({ level: 'warning' as const, text })),
  ]);
}
