import { wallClock } from '../../../../base/index.ts';
import { secondsOf } from './calendar.ts';

/** What a zone says at a moment. */
export interface ZoneState {
  /** East of Greenwich, in seconds. */
  readonly offset: number;
  /** Its abbreviation, such as CET; empty if it has none. */
  readonly name: string;
}

export interface Zone {
  at(seconds: number): ZoneState;
}

const IN_UTC: ZoneState = { offset: 0, name: 'UTC' };
/** Also what Go calls Local: a server has no place of its own. */
export const UTC: Zone = { at: () => IN_UTC };

export function fixedZone(offset: number, name = ''): Zone {
  const state = { offset, name };
  return { at: () => state };
}

/** Before year 2 years are counted backwards, and no clock was ever changed. */
const EARLIEST = -62_100_000_000;
/** English as it is spoken where the abbreviation is known. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'en-NZ'];

/** Undefined when there is no such zone. */
export function namedZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return UTC;
  const clock = wallClock(name);
  if (clock === undefined) return undefined;
  const offsetAt = (seconds: number): number => {
    const at = Math.max(EARLIEST, Math.floor(seconds));
    return secondsOf(clock(at * 1000)) - at;
  };
  return {
    at: (seconds) => {
      const offset = offsetAt(seconds);
      return { offset, name: abbreviation(name, seconds) ?? numeric(offset) };
    },
  };
}

function abbreviation(zone: string, seconds: number): string | undefined {
  for (const locale of LOCALES) {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' });
    const name = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value;
    if (name !== undefined && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return undefined;
}

/** Zones without letters are called by their offset: +03, +0530. Before there were zones, the sun decided. */
function numeric(offset: number): string {
  if (offset % 60 !== 0) return 'LMT';
  const minutes = Math.abs(Math.trunc(offset / 60));
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = minutes % 60 === 0 ? '' : two(minutes % 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${rest}`;
}
