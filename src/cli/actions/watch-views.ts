import { formatDuration, type AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import { silenceLines } from './leader-signs.ts';
import { errorLine } from '../print/error-text.ts';
import { LiveLines } from '../print/live-lines.ts';
import { plainLine, treeLines } from '../print/operation-tree.ts';
import type { Printer } from '../print/printer.ts';
import { printJson } from '../print/structured.ts';

/** What is to be seen at one moment. */
export interface Moment {
  now: number;
  seen: readonly Seen[];
  /** Set while the cluster cannot be heard. */
  trouble?: { since: number; error: AppError } | undefined;
  /** Set while no Headway leads in the cluster. */
  silence?: string;
}

export interface Seen {
  operation: Operation;
  /** Changes with every write to the object. */
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

/** A tree that is drawn over itself. */
export function treeView(output: Printer, { now, programName }: { now: () => number; programName: string }): WatchView {
  const lines = new LiveLines(output, now);
  return {
    show: (moment) => {
      const shown = activeAndRecent(moment.seen.map(({ operation }) => operation));
      const tree = treeLines(shown, { columns: output.columns, now: moment.now });
      const body = tree.length === 0 ? [IDLE] : tree;
      lines.draw([
        ...(moment.trouble === undefined ? [] : [troubleLine(moment.trouble, moment.now)]),
        ...(moment.silence === undefined ? [] : silenceLines(moment.silence, programName)),
        ...body,
      ]);
    },
    end: (last) => {
      lines.settle(last);
    },
  };
}

/** A line for each change, and one at least every five seconds for what has not ended; of all, or of one asked for. */
export function plainView(output: Printer, { isOne, programName }: { isOne: boolean; programName: string }): WatchView {
  const printed = new Map<string, { key: string; at: number }>();
  const tellTrouble = troubleTeller(output, programName);
  let wasIdle = false;
  return {
    show: (moment) => {
      tellTrouble(moment);
      const isIdle = !isOne && moment.seen.every(({ operation }) => isTerminal(operation.report.state));
      // Silence in a log could be anything.
      if (isIdle && !wasIdle) output.note(IDLE);
      wasIdle = isIdle;
      for (const { operation } of moment.seen) {
        const before = printed.get(operation.id);
        const hasEnded = isTerminal(operation.report.state);
        // What had ended before anybody watched is no news.
        if (before === undefined && hasEnded && !isOne) continue;
        const key = changeKey(operation);
        if (before?.key === key && (hasEnded || moment.now - before.at < PLAIN_EVERY_MS)) continue;
        printed.set(operation.id, { key, at: moment.now });
        output.line(plainLine(operation, moment.now));
      }
    },
    end: (last) => {
      for (const line of last.slice(1)) output.line(line);
    },
  };
}

/** One JSON object a line: the operation whenever it has changed. */
export function jsonView(output: Printer, programName: string): WatchView {
  let printed = new Map<string, string>();
  const tellTrouble = troubleTeller(output, programName);
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

function changeKey({ report, phase, sentence, facts }: Operation): string {
  const { percent, stage, state, stalled, waits = [] } = report;
  const causes = state === 'pending' ? waits.map(({ cause }) => cause) : [];
  return JSON.stringify([phase, state, percent, stage, stalled?.cause, sentence, facts.isCancelAsked, causes]);
}

function activeAndRecent(operations: readonly Operation[]): Operation[] {
  const ended = operations
    .filter(({ report }) => isTerminal(report.state))
    .toSorted((a, b) => (b.endedAt ?? b.createdAt).localeCompare(a.endedAt ?? a.createdAt));
  return [...operations.filter(({ report }) => !isTerminal(report.state)), ...ended.slice(0, RECENT)];
}

function troubleLine({ since, error }: NonNullable<Moment['trouble']>, now: number): string {
  return `▲ reconnecting for ${formatDuration((now - since) / 1000)}, what is shown may be out of date: ${errorLine(error)}`;
}

/** Beside the result, once when it begins and once when it is over. */
export function troubleTeller(output: Printer, programName: string): (moment: Moment) => void {
  let isTold = false;
  let isSilenceTold = false;
  return ({ trouble, silence, now }) => {
    if (silence !== undefined && !isSilenceTold) {
      for (const line of silenceLines(silence, programName)) output.note(line);
    }
    if (silence === undefined && isSilenceTold) output.note('✓ a Headway answers');
    isSilenceTold = silence !== undefined;
    if (trouble !== undefined && !isTold) output.note(troubleLine(trouble, now));
    if (trouble === undefined && isTold) output.note('✓ connected again');
    isTold = trouble !== undefined;
  };
}
