import { formatBytes, formatCount, formatDuration } from '../../base/index.ts';
import type { Measure, Report } from '../progress/index.ts';
import type { Adapter } from './adapter.ts';
import type { KindCounts, Operation, ProblemGroup } from './operation.ts';
import { volumeBytes } from './volume-bytes.ts';

type Ended = Pick<Operation, 'report' | 'facts' | 'seconds' | 'problems' | 'phase' | 'errors'>;
type Words = Pick<Adapter, 'did' | 'item'>;

/** `Restored 2 419 of 2 431 items in 3.1 s; 12 Services failed: port already allocated` */
export function closingSentence(words: Words, operation: Ended, byKind: readonly KindCounts[]): string | undefined {
  const { state } = operation.report;
  switch (state) {
    case 'pending':
    case 'running':
      return undefined;
    case 'completed':
    case 'partiallyFailed':
      if (operation.facts.isNothingSelected === true) return nothing(operation);
      return `${outcome(words, operation)}${size(operation)}${volumes(operation)}${took('in', operation)}${skips(operation)}${failures(operation, byKind)}${gaps(operation)}${unmatched(operation)}`;
    case 'failed':
      return `${operation.phase === 'FailedValidation' ? 'Refused' : `Failed${took('after', operation)}`}${reason(operation)}`;
    case 'canceled':
      return `Canceled${took('after', operation)}${soFar(words, operation)}`;
  }
}

/** `Restored 2 431 items`; what tells no amount, such as a plugin that cannot report, has only ended well. */
function outcome(words: Words, operation: Ended): string {
  const amount = amountOf(words, operation);
  if (amount !== undefined) return `${words.did} ${amount}`;
  return operation.report.state === 'completed' ? 'Completed' : 'Partially failed';
}

function soFar(words: Words, operation: Ended): string {
  const amount = amountOf(words, operation);
  return amount === undefined ? '' : `; ${words.did.toLowerCase()} ${amount}`;
}

/** `2 419 of 2 431 items`, `10 GiB`, `3 phases` */
function amountOf({ item }: Words, { report }: Ended): string | undefined {
  const ofUnit = (unit: Measure['unit']): Measure | undefined => report.measures.find((each) => each.unit === unit);
  const items = ofUnit('items');
  if (items !== undefined) return itemsText(items, item, report.counts);
  const bytes = ofUnit('bytes');
  if (bytes !== undefined) return bytesText(bytes);
  const phases = ofUnit('phases');
  return phases === undefined ? undefined : itemsText(phases, 'phase', undefined);
}

function itemsText({ done: settled, total: all }: Measure, item: string, counts: Report['counts']): string {
  const { failed = 0, skipped = 0 } = counts ?? {};
  const done = Math.max(0, settled - failed - skipped);
  const total = all.kind === 'unknown' ? done : all.value;
  return done === total ? plural(done, item) : `${formatCount(done)} of ${plural(total, item)}`;
}

function bytesText({ done, total }: Measure): string {
  const isWhole = total.kind === 'unknown' || total.value === done;
  return isWhole ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total.value)}`;
}

function size({ facts }: Ended): string {
  return facts.sizeBytes === undefined ? '' : ` (${formatBytes(facts.sizeBytes)})`;
}

function volumes(operation: Ended): string {
  const bytes = volumeBytes(operation);
  return bytes === undefined ? '' : ` and ${bytesText(bytes)} in volumes`;
}

function took(word: string, { seconds }: Ended): string {
  if (seconds === undefined) return '';
  const text = seconds >= 1 && seconds < 10 ? `${seconds.toFixed(1)} s` : formatDuration(seconds);
  return ` ${word} ${text}`;
}

/** Items that already exist in the cluster, or cannot exist there, were not restored. */
function skips({ report }: Ended): string {
  const skipped = report.counts?.skipped ?? 0;
  return skipped === 0 ? '' : `; ${formatCount(skipped)} skipped`;
}

function failures({ report, problems, errors: counted }: Ended, byKind: readonly KindCounts[]): string {
  const kinds = byKind.filter(({ failed = 0 }) => failed > 0).map(({ kind, failed = 0 }) => plural(failed, kind));
  const failed = report.counts?.failed ?? 0;
  const errors = problems.filter(({ level }) => level === 'error');
  const what = kinds.length > 0 ? kinds.slice(0, 3).join(', ') : failed > 0 ? plural(failed, 'item') : '';
  const more = kinds.length > 3 ? ` and ${String(kinds.length - 3)} more kinds` : '';
  const why = causeOf(errors);
  if (what !== '') return `; ${what}${more} failed${why === undefined ? '' : `: ${why}`}`;
  if (errors[0] !== undefined) return `; ${errors[0].text}`;
  // The messages are in a file that was not read here.
  return counted === 0 ? '' : `; ${plural(counted, 'error')}`;
}

/** Someone who reads only this sentence must not believe that everything is safe. */
function gaps({ facts: { claimsWithoutData: count } }: Ended): string {
  return count === undefined ? '' : `; the data of ${plural(count, 'claim')} is not in the backup`;
}

function nothing({ facts: { unmatched: message = '' } }: Ended): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
}

function unmatched({ facts }: Ended): string {
  return facts.unmatched === undefined ? '' : `; ${facts.unmatched}`;
}

/** Only when all of them have one cause: a sentence must not blame one problem for another. */
function causeOf(errors: readonly ProblemGroup[]): string | undefined {
  const [only, ...others] = errors;
  if (only === undefined || others.length > 0) return undefined;
  const cut = only.text.indexOf(': ');
  return cut < 0 ? only.text : only.text.slice(cut + 2);
}

function reason({ problems }: Ended): string {
  const errors = problems.filter(({ level }) => level === 'error').map(({ text }) => text);
  return errors.length === 0 ? '' : `: ${errors.join('; ')}`;
}

function plural(count: number, kind: string): string {
  const ending = count === 1 ? '' : /(s|x|ch)$/.test(kind) ? 'es' : /[^aeiou]y$/.test(kind) ? 'ies' : 's';
  const stem = ending === 'ies' ? kind.slice(0, -1) : kind;
  return `${formatCount(count)} ${stem}${ending}`;
}
