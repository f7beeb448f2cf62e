import { AppError, cleanText } from '../../../base/index.ts';
import { advance, type CopyProgress } from '../output/copy-progress.ts';
import { parseLine, type MoverCompleted, type MoverFailed, type MoverStep } from './line.ts';

const MAX_NOTES = 20;
const MAX_STRAY = 5;
/** What a shell makes of signal 9. */
const KILLED = 137;

/** What is known about a running mover. Immutable: `readMover` returns the next one. */
export interface MoverReport {
  readonly id: string;
  readonly progress?: CopyProgress;
  readonly step?: MoverStep;
  readonly current?: string;
  readonly notes: readonly string[];
  readonly end?: MoverCompleted | MoverFailed;
  /** The last lines that are not ours: why a mover died that could not say so. */
  readonly stray: readonly string[];
  /** How many lines spoke of another volume. */
  readonly foreign: number;
}

export function newMoverReport(id: string): MoverReport {
  return { id, notes: [], stray: [], foreign: 0 };
}

/**
 * Takes in one line. Whatever a mover prints, what is done never falls, a line of another volume changes nothing, and
 * nothing comes after the end.
 */
export function readMover(report: MoverReport, text: string): MoverReport {
  const line = parseLine(text);
  if (line === undefined) return { ...report, stray: [...report.stray, cleanText(text)].slice(-MAX_STRAY) };
  // A mover that could not read its job does not know whose it was.
  const isOurs = line.id === report.id || (line.line === 'failed' && line.id === '');
  if (!isOurs) return { ...report, foreign: report.foreign + 1 };
  if (report.end !== undefined) return report;
  switch (line.line) {
    case 'progress': {
      const { step, current } = line;
      const next = { ...report, step, progress: advance(report.progress, line as CopyProgress) };
      return current === undefined ? next : { ...next, current };
    }
    case 'note':
      return report.notes.length < MAX_NOTES ? { ...report, notes: [...report.notes, line.text] } : report;
    case 'completed':
      return { ...report, progress: advance(report.progress, line as CopyProgress), end: line };
    case 'failed':
      return { ...report, end: line };
  }
}

/** How a mover ended that has printed this and left with that code; throws what it failed with. */
export function endOfMover(report: MoverReport, exitCode: number | undefined): MoverCompleted {
  const { end } = report;
  if (end?.line === 'failed') {
    throw new AppError(end.code, end.message, end.hint === undefined ? {} : { details: { hint: end.hint } });
  }
  if (end !== undefined && exitCode === 0) return end;
  const left =
    exitCode === KILLED ? 'it was killed, as when memory runs out' : `it left with exit code ${String(exitCode)}`;
  const how = exitCode === undefined ? 'it was killed' : left;
  const said = report.stray.at(-1);
  const last = said === undefined ? '' : `; it said: ${said}`;
  throw new AppError('serverError', `copy a volume: the mover ended without a result, ${how}${last}`);
}
