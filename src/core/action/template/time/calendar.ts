/** What a calendar and a clock show. */
export interface Civil {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday. */
  weekday: number;
  /** 1 is the first of January. */
  yearDay: number;
}

const DAY = 86_400;

/** Of seconds since 1970, at the place where they are counted. */
export function civilOf(seconds: number): Civil {
  const days = Math.floor(seconds / DAY);
  const clock = seconds - days * DAY;
  const { year, month, day } = dateOf(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(clock / 3600),
    minute: Math.floor(clock / 60) % 60,
    second: clock % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysUntil(year, 1, 1) + 1,
  };
}

/** Seconds since 1970 of a time in UTC. Months and days beyond their end count on, as in Go. */
export function secondsOf(at: Pick<Civil, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>): number {
  const months = at.year * 12 + at.month - 1;
  const days = daysUntil(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + at.day - 1;
  return days * DAY + at.hour * 3600 + at.minute * 60 + at.second;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

// Years begin in March here, so that the leap day comes last; an era is the 400 years after which the calendar repeats.
const ERA_DAYS = 146_097;
const ERA_START = 719_468;

function daysUntil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - ERA_START;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const since = days + ERA_START;
  const era = Math.floor(since / ERA_DAYS);
  const dayOfEra = since - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const index = Math.floor((5 * dayOfYear + 2) / 153);
  const month = index < 10 ? index + 3 : index - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * index + 2) / 5) + 1,
  };
}
