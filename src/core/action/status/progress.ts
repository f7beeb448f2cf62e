import { ALMOST, DONE, mean, parsePercent, percentText } from './percent.ts';
import { allPhases, type ActionSetStatus, type PhaseProgress } from './types.ts';

type SetProgress = NonNullable<ActionSetStatus['progress']>;

const SIZES = ['sizeDownloadedB', 'sizeUploadedB', 'estimatedDownloadSizeB', 'estimatedUploadSizeB'] as const;

/** What a function tells of itself while it runs. */
export interface FunctionStats {
  /** In hundredths of a percent. */
  percent: number;
  sizeDownloadedB?: number;
  sizeUploadedB?: number;
  estimatedDownloadSizeB?: number;
  estimatedUploadSizeB?: number;
  estimatedTimeSeconds?: number;
}

/**
 * A phase's progress after a report. The percent never falls, also when an attempt starts over, and is 100 only when the
 * phase is complete. The time moves only when a number does.
 */
export function phaseProgress(before: PhaseProgress | undefined, stats: FunctionStats, now: string): PhaseProgress {
  const earlier = before ?? {};
  const limit = Math.min(stats.percent, ALMOST);
  const percent = percentText(Math.max(parsePercent(earlier.progressPercent), limit));
  const { percent: _percent, ...numbers } = stats;
  return changed(earlier, { ...earlier, ...defined(numbers), progressPercent: percent }, now);
}

export function completedProgress(before: PhaseProgress | undefined, now: string): PhaseProgress {
  const { estimatedTimeSeconds: _left, ...earlier } = before ?? {};
  return changed(before ?? {}, { ...earlier, progressPercent: percentText(DONE) }, now);
}

/** Of a deferPhase that is complete, its state tells all: upstream writes no percent there, and tools compare it. */
export function deferredProgress(before: PhaseProgress | undefined, now: string): PhaseProgress {
  const { progressPercent: _percent, ...progress } = completedProgress(before, now);
  return progress;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function changed<T extends { lastTransitionTime?: string | undefined }>(before: T, after: T, now: string): T {
  const { lastTransitionTime: _then, ...numbers } = after;
  const isSame = Object.entries(numbers).every(([name, value]) => before[name as keyof T] === value);
  return isSame && before.lastTransitionTime !== undefined ? after : { ...after, lastTransitionTime: now };
}

/** The progress of the whole set, from its phases. deferPhases run, but do not count. */
export function setProgress(status: ActionSetStatus, now: string): SetProgress {
  const phases = [...allPhases(status)];
  const counted = phases.filter(({ ref }) => ref.phase !== 'defer').map(({ phase }) => phase);
  const running = phases.filter(({ phase }) => phase.state === 'running');
  const isComplete = status.state === 'complete';
  const average = mean(counted.map(({ progress }) => parsePercent(progress?.progressPercent)));
  const earlier = status.progress ?? {};
  const shown = average === undefined ? undefined : Math.min(average, isComplete ? DONE : ALMOST);
  const { runningPhases: _old, ...rest } = earlier;
  const after: SetProgress = {
    ...rest,
    ...sums(counted.map(({ progress }) => progress ?? {})),
    ...percents(shown, { earlier, isComplete }),
    runningPhase: running[0]?.phase.name ?? '',
    ...(running.length > 0 && {
      runningPhases: running.map(({ action, phase }) => ({ action: action.name ?? '', phase: phase.name ?? '' })),
    }),
  };
  const isMoved = [...SIZES, 'percentCompleted' as const].some((name) => after[name] !== earlier[name]);
  return isMoved || earlier.lastTransitionTime === undefined ? { ...after, lastTransitionTime: now } : after;
}

/** Law 1 and 2: it never falls, and is 100 with success alone. */
function percents(
  shown: number | undefined,
  { earlier, isComplete }: { earlier: SetProgress; isComplete: boolean },
): Partial<SetProgress> {
  if (shown === undefined) return isComplete ? { percent: 100 } : {};
  const value = Math.max(shown, Math.min(parsePercent(earlier.percentCompleted), isComplete ? DONE : ALMOST));
  const whole = Math.max(Math.floor(value / 100), isComplete ? 0 : (earlier.percent ?? 0));
  return { percentCompleted: percentText(value), percent: whole };
}

function sums(phases: readonly PhaseProgress[]): Partial<SetProgress> {
  const entries = SIZES.map((name) => {
    const known = phases.map((progress) => progress[name]).filter((size) => size !== undefined);
    return [name, known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0)] as const;
  });
  return defined(Object.fromEntries(entries));
}
