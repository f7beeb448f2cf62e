import type { Log } from '../../../base/index.ts';
import { itemName, type ItemKey } from '../../../core/progress/index.ts';
import { type ResultMessage, type Results, resultsOf } from '../../../core/selection/index.ts';

/** What a finding is about: one item, all of a namespace or type, or the backup as a whole. */
export type About = 'operation' | 'cluster' | { namespace: string } | ItemKey;

/** Kept for the results; more than a person will read, and the counts go on. */
const MAX_KEPT = 10_000;

/** Everything that went wrong or deserves to be told: once in the log, once in the results, and all but notices counted. */
export class Findings {
  readonly #log: Log;
  readonly #kept: ResultMessage[] = [];
  #noticed = 0;
  readonly #counts = { errors: 0, warnings: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  get errors(): number {
    return this.#counts.errors;
  }

  get warnings(): number {
    return this.#counts.warnings;
  }

  error(about: About, text: string): void {
    this.#add('errors', about, text);
    this.#log.error('not everything is in the backup', { ...fieldsOf(about), error: text });
  }

  warn(about: About, text: string): void {
    this.#add('warnings', about, text);
    this.#log.warn('the backup may lack something', { ...fieldsOf(about), reason: text });
  }

  /** A warning that Velero does not have, so that it is not counted: the numbers stay the same. A condition says it, too. */
  notice(about: About, text: string): void {
    this.#noticed += 1;
    this.#keep('warnings', about, text);
    this.#log.warn('the backup may lack something', { ...fieldsOf(about), reason: text });
  }

  results(): Results {
    const lost = this.#counts.errors + this.#counts.warnings + this.#noticed - this.#kept.length;
    const rest: ResultMessage[] =
      lost === 0 ? [] : [{ level: 'warnings', about: 'operation', text: `${lost} more messages are only counted` }];
    return resultsOf([...this.#kept, ...rest]);
  }

  /** Every message as a line, errors first. */
  lines(): string[] {
    const ofLevel = (level: ResultMessage['level']): string[] =>
      this.#kept.filter((message) => message.level === level).map(({ text }) => text);
    return [...ofLevel('errors'), ...ofLevel('warnings')];
  }

  #add(level: 'errors' | 'warnings', about: About, text: string): void {
    this.#counts[level] += 1;
    this.#keep(level, about, text);
  }

  #keep(level: ResultMessage['level'], about: About, text: string): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push({ level, about: placeOf(about), text: lineOf(about, text) });
  }
}

function isItem(about: About): about is ItemKey {
  return typeof about === 'object' && 'groupResource' in about;
}

function placeOf(about: About): ResultMessage['about'] {
  if (!isItem(about)) return about;
  return about.namespace === undefined ? 'cluster' : { namespace: about.namespace };
}

function lineOf(about: About, text: string): string {
  return isItem(about) ? `${itemName(about)}: ${text}` : text;
}

function fieldsOf(about: About): Record<string, string | undefined> {
  if (isItem(about)) return { resource: about.groupResource, namespace: about.namespace, name: about.name };
  return typeof about === 'object' ? about : {};
}
