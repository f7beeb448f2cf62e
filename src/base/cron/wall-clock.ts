/** The time that a wall clock shows. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
}

export type WallClock = (ms: number) => WallTime;

/** The wall clock of a time zone such as `Europe/Berlin`; undefined when there is no such zone. */
export function wallClock(zone: string): WallClock | undefined {
  if (zone === '' || zone === 'UTC') return utcClock;
  // Intl also accepts offsets such as +01:00, Go does not.
  if (!/^[A-Za-z]/.test(zone)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    // The zone's name is the only input, so nothing else can be wrong.
    return undefined;
  }
  return (ms) => {
    const at: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(ms)) at[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = at;
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    return { year, month, day, weekday, hour, minute, second };
  };
}

function utcClock(ms: number): WallTime {
  const at = new Date(ms);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    weekday: at.getUTCDay(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
}
