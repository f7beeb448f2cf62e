import { formatBytes, formatCount, formatDuration } from '../../../src/base/index.ts';
import type { StepPosition } from '../../../src/core/operations/index.ts';
import type { Measure, Report } from '../../../src/core/progress/index.ts';

/** Stands where a number would be that nobody knows. */
export const NOTHING = '–';

/** `1 653 of 2 431 items`, `1.9 GiB of 4.4 GiB`; only the count while the total is unknown. */
export function measureText({ unit, done, total }: Measure): string {
  const show = unit === 'bytes' ? formatBytes : formatCount;
  const counted = total.kind === 'unknown' ? done : total.value;
  const noun = unit === 'bytes' ? '' : ` ${counted === 1 ? unit.slice(0, -1) : unit}`;
  switch (total.kind) {
    case 'unknown':
      return `${show(done)}${noun}`;
    case 'estimate':
      return `${show(done)} of about ${show(total.value)}${noun}`;
    case 'exact':
      return done === total.value ? `${show(done)}${noun}` : `${show(done)} of ${show(total.value)}${noun}`;
  }
}

export function measuresText({ measures }: Report): string {
  return measures.map(measureText).join(', ') || NOTHING;
}

/** `812/s`, `88 MiB/s` */
export function rateText({ measures, ratePerSecond }: Report): string {
  if (ratePerSecond === undefined) return NOTHING;
  const isBytes = measures.some(({ unit }) => unit === 'bytes');
  if (isBytes) return `${formatBytes(ratePerSecond)}/s`;
  return ratePerSecond >= 10 ? `${formatCount(Math.round(ratePerSecond))}/s` : `${String(ratePerSecond)}/s`;
}

/** Phases have no speed, and what does not even tell when it last advanced will never tell how fast it is. */
export function tellsRate({ measures, ratePerSecond, lastProgressAt }: Report): boolean {
  if (ratePerSecond !== undefined) return true;
  const isPhasesOnly = measures.length > 0 && measures.every(({ unit }) => unit === 'phases');
  return lastProgressAt !== undefined && !isPhasesOnly;
}

/** `about 29 s left`; nothing without evidence. */
export function leftText({ etaSeconds }: { etaSeconds?: number | undefined }): string | undefined {
  return etaSeconds === undefined ? undefined : `about ${formatDuration(Math.max(1, etaSeconds))} left`;
}

export function percentText({ percent }: Report): string | undefined {
  return percent === undefined ? undefined : `${String(percent)} %`;
}

/** `step 3 of 6` */
export function stepText({ number, of }: Pick<StepPosition, 'number' | 'of'>): string {
  return `step ${formatCount(number)} of ${formatCount(of)}`;
}

/** It goes on being stalled between two events, so the time since the last advance counts. */
export function stalledSeconds({ stalled, lastProgressAt }: Report, now: number): number {
  const since = lastProgressAt === undefined ? NaN : (now - Date.parse(lastProgressAt)) / 1000;
  return Math.max(stalled?.sinceSeconds ?? 0, Number.isNaN(since) ? 0 : since);
}

/** Durations that people compare: a decimal below ten seconds. */
export function tookText(seconds: number): string {
  return seconds >= 0.95 && seconds < 9.95 ? `${seconds.toFixed(1)} s` : formatDuration(seconds);
}

export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many items of an ended restore a retry would go for: those that failed, and those that nobody got to. */
export function notRestored({ measures, counts }: Report): number {
  const items = measures.find(({ unit }) => unit === 'items');
  const open = items === undefined || items.total.kind === 'unknown' ? 0 : items.total.value - items.done;
  return open + (counts?.failed ?? 0);
}
