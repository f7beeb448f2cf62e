import type { Cron, CronLine } from './cron.ts';
import type { WallClock, WallTime } from './wall-clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
// As in robfig/cron: a day not found within this many years does not exist, such as February 30.
const YEARS = 5;

/**
 * The first run after a time, in milliseconds since 1970; undefined when there is none. A wall-clock time that is
 * skipped has no run that day; one that occurs twice has two.
 */
export function nextRun(cron: Cron, afterMs: number): number | undefined {
  if (cron.kind === 'every') return afterMs - mod(afterMs, SECOND) + cron.everyMs;
  return nextOnClock(cron.line, cron.clock, afterMs);
}

function nextOnClock(line: CronLine, clock: WallClock, afterMs: number): number | undefined {
  let at = afterMs - mod(afterMs, MINUTE) + MINUTE;
  const lastYear = clock(at).year + YEARS;
  for (;;) {
    const wall = clock(at);
    if (wall.year > lastYear) return undefined;
    const step = stepFrom(line, wall);
    if (step === 0) return at;
    at += step;
  }
}

/** How far to advance without passing a run; 0 when this is one. */
function stepFrom(line: CronLine, wall: WallTime): number {
  const toNextHour = HOUR - wall.minute * MINUTE;
  if (!line.months.has(wall.month)) return wall.day < 26 ? (26 - wall.day) * DAY : toNextHour + hoursLeft(wall);
  if (!isDay(line, wall)) return toNextHour + hoursLeft(wall);
  if (!line.hours.has(wall.hour)) return toNextHour;
  return line.minutes.has(wall.minute) ? 0 : MINUTE;
}

/** Most of a day, but never past its end: a day on which clocks change may have fewer hours. */
function hoursLeft({ hour }: WallTime): number {
  return hour < 20 ? (20 - hour) * HOUR : 0;
}

/** When both day fields are restricted, matching one is enough. */
function isDay({ daysOfMonth, daysOfWeek }: CronLine, { day, weekday }: WallTime): boolean {
  const byDate = daysOfMonth.values.has(day);
  const byWeekday = daysOfWeek.values.has(weekday);
  return daysOfMonth.isOpen || daysOfWeek.isOpen ? byDate && byWeekday : byDate || byWeekday;
}

/** Never negative, even before 1970. */
function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
