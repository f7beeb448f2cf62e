import type { Log } from '../../base/index.ts';
import { itemName, type ItemKey } from '../../core/progress/index.ts';
import { resultsOf, type ResultMessage, type Results } from '../../core/selection/index.ts';

/** What a finding is about: one item, a whole namespace or the cluster, or the operation as a whole. */
export type About = 'operation' | 'cluster' | { namespace: string } | ItemKey;

/** The constant log messages; the finding itself is a field. */
export interface FindingTexts {
  error: string;
  warning: string;
}

/** Limit for the results file: more than a person will read. The counts continue. */
const MAX_KEPT = 10_000;

/**
 * Everything that went wrong or should be reported: once in the log, once in the results, and all except notices
 * counted.
 */
export class Findings {
  readonly #log: Log;
  readonly #texts: FindingTexts;
  readonly #kept: ResultMessage[] = [];
  readonly #counts = { errors: 0, warnings: 0 };
  /** Counts of those that were not kept. */
  readonly #lost = { errors: 0, warnings: 0 };

  constructor(log: Log, texts: FindingTexts) {
    this.#log = log;
    this.#texts = texts;
  }

  get errors(): number {
    return this.#counts.errors;
  }

  get warnings(): number {
    return this.#counts.warnings;
  }

  error(about: About, text: string): void {
    this.#counts.errors += 1;
    this.#keep('errors', about, text);
    this.#log.error(this.#texts.error, { ...fieldsOf(about), error: text });
  }

  warn(about: About, text: string): void {
    this.#counts.warnings += 1;
    this.notice(about, text);
  }

  /**
   * A warning that Velero does not have. It is not counted, so that the numbers stay the same, but a condition reports
   * it too.
   */
  notice(about: About, text: string): void {
    this.#keep('warnings', about, text);
    this.#log.warn(this.#texts.warning, { ...fieldsOf(about), reason: text });
  }

  results(): Results {
    const rest = (['warnings', 'errors'] as const).flatMap((level): ResultMessage[] =>
      this.#lost[level] === 0
        ? []
        : [{ level, about: 'operation', text: `${this.#lost[level]} more ${level} are only in the counts` }],
    );
    return resultsOf([...this.#kept, ...rest]);
  }

  /** Every message as a line, errors first. */
  lines(): string[] {
    const ofLevel = (level: ResultMessage['level']): string[] =>
      this.#kept.filter((message) => message.level === level).map(({ text }) => text);
    return [...ofLevel('errors'), ...ofLevel('warnings')];
  }

  #keep(level: ResultMessage['level'], about: About, text: string): void {
    // Errors decide how the operation ends, so none of them may be lost among warnings.
    if (this.#kept.length >= MAX_KEPT && !(level === 'errors' && this.#dropWarning())) this.#lost[level] += 1;
    else this.#kept.push({ level, about: placeOf(about), text: lineOf(about, text) });
  }

  #dropWarning(): boolean {
    const at = this.#kept.findLastIndex(({ level }) => level === 'warnings');
    if (at < 0) return false;
    this.#kept.splice(at, 1);
    this.#lost.warnings += 1;
    return true;
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
