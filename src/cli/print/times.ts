import { formatDuration } from '../../base/index.ts';
import { NONE } from './measures.ts';

/** `12 s`: for a column that is called AGE. */
export function ageOf(time: string | undefined, now: number): string {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? NONE : formatDuration(Math.max(0, now - at) / 1000);
}

/** `12 s ago`, `in 29 d 4 h`. */
export function relativeTime(time: string | undefined, now: number): string {
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at)) return NONE;
  const seconds = (now - at) / 1000;
  return seconds >= 0 ? `${formatDuration(seconds)} ago` : `in ${formatDuration(-seconds)}`;
}

/** `2026-11-16 00:40:12 UTC (12 min ago)`: exact for a ticket, relative for a person. */
export function exactTime(time: string | undefined, now: number): string {
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at)) return NONE;
  const text = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  return `${text} UTC (${relativeTime(time, now)})`;
}
