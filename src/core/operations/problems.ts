import { objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { ProblemGroup } from './operation.ts';

export interface ProblemMessage {
  level: ProblemGroup['level'];
  text: string;
}

const MAX_EXAMPLES = 20;
const MAX_GROUPS = 200;
/** Names, numbers and quoted parts: where two messages about the same thing differ. */
const VARIABLE = /"[^"]*"|'[^']*'|\S*[/\d]\S*/g;
/** How the API server was asked, and its address: the log has them, and why it refused stands behind them. */
const REQUEST = /\b(?:GET|POST|PUT|PATCH|DELETE) \S+: https?:\/\/\S+ answered \d+: /;
/** Conditions that tell of something else than a problem. */
const NO_PROBLEM = ['Stalled', 'Canceled', 'Ready', 'Available', 'Completed', 'Running', 'Succeeded'];

/** Equal problems as one, errors first, the most frequent first. */
export function groupProblems(messages: Iterable<ProblemMessage>): ProblemGroup[] {
  const groups = new Map<string, ProblemMessage[]>();
  for (const { level, text: whole } of messages) {
    const message = { level, text: whole.replace(REQUEST, '') };
    const key = `${message.level} ${message.text.replaceAll(VARIABLE, '…')}`;
    const group = groups.get(key);
    if (group !== undefined) group.push(message);
    else if (groups.size < MAX_GROUPS) groups.set(key, [message]);
  }
  const rank = ({ level }: ProblemGroup): number => (level === 'error' ? 0 : 1);
  return [...groups.values()].map(toGroup).toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
}

function toGroup(members: readonly ProblemMessage[]): ProblemGroup {
  const texts = members.map(({ text }) => text);
  return {
    level: members[0]?.level ?? 'error',
    count: members.length,
    text: commonText(texts),
    examples: texts.slice(0, MAX_EXAMPLES),
  };
}

/** What all say alike, with the count where they first differ. */
function commonText(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.length === 0) return first;
  const split = others.map((text) => text.split(' '));
  const words = first.split(' ').map((word, at) => {
    if (split.every((other) => other[at] === word)) return word;
    // The sign after a name belongs to the sentence, not to the name.
    return `…${/[:;,]$/.exec(word)?.[0] ?? ''}`;
  });
  const text = words.join(' ');
  const count = `(${String(texts.length)})`;
  return text.includes('…') ? text.replace('…', count).replaceAll(/ …(?=[ :;,]|$)/g, '') : `${text} ${count}`;
}

/** Said of claims in a condition and, one by one, in the results. */
const IS_MISSING = / is not in the backup\b/;

/** What status tells and what the stored results tell, each once. */
export function mergeProblems(fromStatus: readonly ProblemGroup[], told: readonly ProblemGroup[]): ProblemGroup[] {
  const hasMissing = told.some(({ text }) => IS_MISSING.test(text));
  const texts = new Set(told.flatMap(({ examples }) => examples));
  const isTold = (text: string): boolean => texts.has(text) || (hasMissing && IS_MISSING.test(text));
  return [...fromStatus.filter(({ text }) => !isTold(text)), ...told];
}

/** Whose data is not there, in a few words. */
export function missingData(problems: readonly ProblemGroup[]): string | undefined {
  const found = problems.find(({ level, text }) => level === 'warning' && IS_MISSING.test(text));
  return found?.text.split(': ', 1)[0];
}

/** The problems that status names by itself. */
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
