import { formatDuration } from '../../../src/base/index.ts';

/** `12 s ago`, `in 5 h`. A clock that is a little ahead must not make the past the future. */
export function relativeText(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return '–';
  if (Math.abs(seconds) < 1.5) return 'just now';
  const duration = coarse(Math.abs(seconds));
  return seconds > 0 ? `${duration} ago` : `in ${duration}`;
}

/** Beyond an hour nobody wants the minutes, beyond two days nobody wants the hours. */
function coarse(seconds: number): string {
  if (seconds < 3570) return formatDuration(seconds);
  if (seconds < 47.5 * 3600) return `${String(Math.round(seconds / 3600))} h`;
  return `${String(Math.round(seconds / 86_400))} d`;
}

/** The exact time in the user's zone, for the hover. */
export function exactText(iso: string, zone?: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(time);
}

/** Short and in the user's zone: `20:04:11` when it was near, `03:00` when it will be, else `Sun 15 Nov 04:00`. */
export function clockText(iso: string, now: number, zone?: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '–';
  const isNear = Math.abs(now - time.getTime()) < 12 * 3_600_000;
  // What is to come is planned by the minute.
  const second = isNear && time.getTime() <= now;
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', {
    ...(isNear ? {} : day),
    ...(second ? { second: '2-digit' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    ...(zone === undefined ? {} : { timeZone: zone }),
  })
    .format(time)
    .replaceAll(',', '');
}

/** `20:04:11` in the user's zone. */
export function timeOfDay(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : TIME_OF_DAY.format(time);
}

const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export function secondsBetween(from: string, to: string | number): number {
  const end = typeof to === 'number' ? to : Date.parse(to);
  const seconds = (end - Date.parse(from)) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.max(0, seconds);
}
