import { formatDuration, type AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import { silenceLines } from './leader-signs.ts';
import { errorLine } from '../print/error-text.ts';
import { LiveLines } from '../print/live-lines.ts';
import { plainLine, treeLines, type Where } from '../print/operation-tree.ts';
import type { Printer } from '../print/printer.ts';
import { printJson } from '../print/structured.ts';
import { groupByParent } from '../print/tree-rows.ts';

/** What is to be seen at one moment. */
export interface Moment {
  now: number;
  seen: readonly Seen[];
  /** Of clusters that cannot be heard. */
  troubles: readonly Trouble[];
  /** Of clusters in which no Headway leads. */
  silences: readonly Silence[];
}

/** Why one of the clusters cannot be heard. */
export interface Trouble {
  cluster: string;
  since: number;
  error: AppError;
}

export interface Silence {
  cluster: string;
  text: string;
}

export interface Seen {
  operation: Operation;
  /** Changes with every write to the object, and when it becomes part of another operation. */
  version: string;
}

export interface WatchView {
  show(moment: Moment): void;
  /** The last words; nothing is shown after them. */
  end(lines: readonly string[]): void;
}

const IDLE = '○ nothing is running; waiting for the next operation';
const RECENT = 5;
const PLAIN_EVERY_MS = 5000;

export interface ViewOptions {
  programName: string;
  /** One operation and its parts, which was asked for. */
  isOne: boolean;
  where: (operations: readonly Operation[]) => Where;
}

/** A tree that is drawn over itself. */
export function treeView(output: Printer, { now, ...options }: ViewOptions & { now: () => number }): WatchView {
  const lines = new LiveLines(output, now);
  return {
    show: (moment) => {
      const operations = moment.seen.map(({ operation }) => operation);
      const shown = options.isOne ? operations : activeAndRecent(operations);
      const tree = treeLines(shown, { columns: output.columns, now: moment.now, where: options.where(shown) });
      const body = tree.length === 0 ? [IDLE] : tree;
      const about = clusterPrefix(options.where(shown));
      lines.draw([
        ...moment.troubles.map((trouble) => troubleLine(trouble, moment.now, about)),
        ...moment.silences.flatMap((silence) =>
          silenceLines(about(silence.cluster) + silence.text, options.programName),
        ),
        ...body,
      ]);
    },
    end: (last) => {
      lines.settle(last);
    },
  };
}

/** A line for each change, and one at least every five seconds for what has not ended; of all, or of one asked for. */
export function plainView(output: Printer, { isOne, programName, where }: ViewOptions): WatchView {
  const printed = new Map<string, { key: string; at: number }>();
  const tellTrouble = troubleTeller(output, programName, where([]));
  let wasIdle = false;
  return {
    show: (moment) => {
      tellTrouble(moment);
      const isIdle = !isOne && moment.seen.every(({ operation }) => isTerminal(operation.report.state));
      const shown = where(moment.seen.map(({ operation }) => operation));
      for (const { operation } of moment.seen) {
        const before = printed.get(operation.id);
        const hasEnded = isTerminal(operation.report.state);
        // What had ended before anybody watched is no news.
        if (before === undefined && hasEnded && !isOne) continue;
        const key = changeKey(operation);
        // The whole says that it goes on, for all of its parts.
        const isQuiet = hasEnded || operation.parent !== undefined;
        if (before?.key === key && (isQuiet || moment.now - before.at < PLAIN_EVERY_MS)) continue;
        printed.set(operation.id, { key, at: moment.now });
        output.line(plainLine(operation, moment.now, shown));
      }
      // Silence in a log could be anything. It comes after the line of what has just ended.
      if (isIdle && !wasIdle) output.note(IDLE);
      wasIdle = isIdle;
    },
    end: (last) => {
      for (const line of last.slice(1)) output.line(line);
    },
  };
}

/** One JSON object a line: the operation whenever it has changed. */
export function jsonView(output: Printer, { programName, where }: ViewOptions): WatchView {
  let printed = new Map<string, string>();
  const tellTrouble = troubleTeller(output, programName, where([]));
  return {
    show: (moment) => {
      tellTrouble(moment);
      const versions = new Map(moment.seen.map(({ operation, version }) => [operation.id, version]));
      for (const { operation, version } of moment.seen) {
        if (printed.get(operation.id) !== version) printJson(output, operation);
      }
      for (const id of printed.keys()) {
        if (!versions.has(id)) printJson(output, { id, isRemoved: true });
      }
      printed = versions;
    },
    end: () => undefined,
  };
}

function changeKey({ report, phase, sentence, facts, step }: Operation): string {
  const { percent, stage, state, stalled, waits = [] } = report;
  const causes = state === 'pending' ? waits.map(({ cause }) => cause) : [];
  return JSON.stringify([phase, state, percent, stage, step, stalled?.cause, sentence, facts.isCancelAsked, causes]);
}

/** What has not ended, with all of its parts, and the last that have; what is left of an old one is not looked at. */
function activeAndRecent(operations: readonly Operation[]): Operation[] {
  const partsOf = groupByParent(operations);
  const isActive = (operation: Operation): boolean =>
    !isTerminal(operation.report.state) || (partsOf.get(operation.id) ?? []).some(isActive);
  const whole = (operation: Operation): Operation[] => [operation, ...(partsOf.get(operation.id) ?? []).flatMap(whole)];
  const roots = Map.groupBy(partsOf.get('') ?? [], isActive);
  const ended = (roots.get(false) ?? []).toSorted((a, b) =>
    (b.endedAt ?? b.createdAt).localeCompare(a.endedAt ?? a.createdAt),
  );
  return [...(roots.get(true) ?? []).flatMap(whole), ...ended.slice(0, RECENT)];
}

/** Whose it is, where there are several clusters. */
function clusterPrefix({ cluster }: Where): (name: string) => string {
  return (name) => (cluster === true ? `${name}: ` : '');
}

function troubleLine({ cluster, since, error }: Trouble, now: number, about: (name: string) => string): string {
  const time = formatDuration((now - since) / 1000);
  return `▲ ${about(cluster)}reconnecting for ${time}, what is shown may be out of date: ${errorLine(error)}`;
}

/** Beside the result, once when it begins and once when it is over. */
export function troubleTeller(output: Printer, programName: string, where: Where = {}): (moment: Moment) => void {
  const about = clusterPrefix(where);
  let now = 0;
  const tellSilences = changeTeller<Silence>({
    begins: ({ cluster, text }) => silenceLines(about(cluster) + text, programName),
    ends: (cluster) => `✓ ${about(cluster)}a Headway answers`,
  });
  const tellTroubles = changeTeller<Trouble>({
    begins: (trouble) => [troubleLine(trouble, now, about)],
    ends: (cluster) => `✓ ${about(cluster)}connected again`,
  });
  return (moment) => {
    ({ now } = moment);
    for (const line of [...tellSilences(moment.silences), ...tellTroubles(moment.troubles)]) output.note(line);
  };
}

/** What to say about clusters that have come into a state, and about those that have left it. */
function changeTeller<T extends { cluster: string }>(words: {
  begins: (each: T) => string[];
  ends: (cluster: string) => string;
}): (now: readonly T[]) => string[] {
  let told: readonly string[] = [];
  return (now) => {
    const clusters = now.map(({ cluster }) => cluster);
    const begun = now.filter(({ cluster }) => !told.includes(cluster)).flatMap(words.begins);
    const ended = told.filter((cluster) => !clusters.includes(cluster)).map(words.ends);
    told = clusters;
    return [...begun, ...ended];
  };
}
