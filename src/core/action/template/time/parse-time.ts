import { daysInMonth, isLeap, secondsOf } from './calendar.ts';
import type { Instant } from './instant.ts';
import { readLayout, type Element, type Piece } from './layout.ts';
import { MONTHS, WEEKDAYS } from './names.ts';
import { UTC, fixedZone, type Zone } from './zone.ts';

/** What has been read so far. */
interface Found {
  year: number;
  month: number | undefined;
  day: number | undefined;
  yearDay: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  half: 'am' | 'pm' | undefined;
  zone: Zone | undefined;
  offset: number | undefined;
  zoneName: string;
}

const HOURS = '[+-]0*(?:2[0-3]|1?\\d)(?!\\d)';
/** Three capitals, more of them if they end in T, and some exceptions. */
const ZONE_NAME = new RegExp(`^(?:ChST|MeST|GMT(?:${HOURS})?|${HOURS}|(?:WITA|[A-Z]{4}T|[A-Z]{3}T|[A-Z]{3})(?![A-Z]))`);

/** As time.ParseInLocation with UTC; undefined where it fails. */
export function parseTime(layout: string, text: string): Instant | undefined {
  return new TimeReader(text).read(readLayout(layout));
}

class TimeReader {
  #rest: string;
  readonly #found: Found = {
    year: 0,
    month: undefined,
    day: undefined,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    half: undefined,
    zone: undefined,
    offset: undefined,
    zoneName: '',
  };

  constructor(text: string) {
    this.#rest = text;
  }

  read(pieces: readonly Piece[]): Instant | undefined {
    for (const [index, piece] of pieces.entries()) {
      if (!this.#skip(piece.literal)) return undefined;
      if (piece.element === undefined) continue;
      const nextIsFraction = pieces[index + 1]?.element === 'fraction' && pieces[index + 1]?.literal === '';
      if (!this.#element(piece.element, piece.text, nextIsFraction)) return undefined;
    }
    return this.#rest === '' ? this.#instant() : undefined;
  }

  /** A run of spaces stands for any other. */
  #skip(literal: string): boolean {
    let at = 0;
    while (at < literal.length) {
      if (literal[at] === ' ') {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) return false;
        while (literal[at] === ' ') at += 1;
        this.#rest = this.#rest.replace(/^ +/, '');
      } else {
        if (this.#rest[0] !== literal[at]) return false;
        this.#rest = this.#rest.slice(1);
        at += 1;
      }
    }
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.#rest);
    if (match === null) return undefined;
    this.#rest = this.#rest.slice(match[0].length);
    return match[0];
  }

  /** One or two digits, or exactly two. */
  #number(isFixed: boolean): number | undefined {
    const digits = this.#take(isFixed ? /^\d\d/ : /^\d\d?/);
    return digits === undefined ? undefined : Number(digits);
  }

  #between(field: 'hour' | 'minute' | 'second', isFixed: boolean, limit: number): boolean {
    const value = this.#number(isFixed);
    if (value === undefined || value >= limit) return false;
    this.#found[field] = value;
    return true;
  }

  #name(names: readonly string[], length?: number): number | undefined {
    const index = names.findIndex((name) => {
      const wanted = name.slice(0, length ?? name.length);
      return this.#rest.slice(0, wanted.length).toLowerCase() === wanted.toLowerCase();
    });
    if (index < 0) return undefined;
    this.#rest = this.#rest.slice(length ?? String(names[index]).length);
    return index;
  }

  #element(element: Element, text: string, nextIsFraction: boolean): boolean {
    const read = this.#readers[element];
    if (read !== undefined) return read();
    if (element === 'fraction') return this.#fraction(text);
    if (element === '5' || element === '05') {
      return this.#between('second', element === '05', 60) && (nextIsFraction || this.#unasked());
    }
    return this.#offset(element);
  }

  readonly #readers: Partial<Record<Element, () => boolean>> = {
    '2006': () => this.#year('2006'),
    '06': () => this.#year('06'),
    January: () => this.#month(this.#name(MONTHS)),
    Jan: () => this.#month(this.#name(MONTHS, 3)),
    '1': () => this.#month(this.#number(false), 0),
    '01': () => this.#month(this.#number(true), 0),
    Monday: () => this.#name(WEEKDAYS) !== undefined,
    Mon: () => this.#name(WEEKDAYS, 3) !== undefined,
    '2': () => this.#day(false),
    _2: () => {
      this.#take(/^ /);
      return this.#day(false);
    },
    '02': () => this.#day(true),
    __2: () => this.#yearDay('__2'),
    '002': () => this.#yearDay('002'),
    '15': () => this.#between('hour', false, 24),
    '3': () => this.#between('hour', false, 13),
    '03': () => this.#between('hour', true, 13),
    '4': () => this.#between('minute', false, 60),
    '04': () => this.#between('minute', true, 60),
    PM: () => this.#half(/^(?:AM|PM)/),
    pm: () => this.#half(/^(?:am|pm)/),
    MST: () => this.#zoneName(),
  };

  /** Names are counted from nought, numbers from one. */
  #month(value: number | undefined, first = 1): boolean {
    const month = value === undefined ? undefined : value + first;
    this.#found.month = month;
    return month !== undefined && month >= 1 && month <= 12;
  }

  #day(isFixed: boolean): boolean {
    this.#found.day = this.#number(isFixed);
    return this.#found.day !== undefined;
  }

  #year(element: '2006' | '06'): boolean {
    const digits = this.#take(element === '2006' ? /^\d{4}/ : /^[+-]?\d{1,2}/);
    if (digits === undefined || (element === '06' && digits.length !== 2)) return false;
    const value = Number(digits);
    this.#found.year = element === '2006' ? value : value + (value >= 69 ? 1900 : 2000);
    return true;
  }

  #yearDay(element: '__2' | '002'): boolean {
    if (element === '__2') this.#take(/^ {1,2}/);
    const digits = this.#take(element === '002' ? /^\d{3}/ : /^\d{1,3}/);
    this.#found.yearDay = digits === undefined ? undefined : Number(digits);
    return digits !== undefined;
  }

  #half(pattern: RegExp): boolean {
    const half = this.#take(pattern)?.toLowerCase();
    this.#found.half = half === 'pm' ? 'pm' : 'am';
    return half !== undefined;
  }

  /** A fraction that the layout does not have is read after seconds all the same. */
  #unasked(): boolean {
    const digits = this.#take(/^[.,]\d+/);
    return digits === undefined || this.#setNanos(digits);
  }

  #fraction(text: string): boolean {
    if (text.charAt(1) === '9') return this.#unasked();
    const digits = this.#take(new RegExp(`^[.,]\\d{${String(text.length - 1)}}`));
    return digits !== undefined && this.#setNanos(digits);
  }

  #setNanos(digits: string): boolean {
    this.#found.nanos = Number(digits.slice(1, 10).padEnd(9, '0'));
    return true;
  }

  #zoneName(): boolean {
    if (this.#take(/^UTC/) !== undefined) {
      this.#found.zone = UTC;
      return true;
    }
    const name = this.#take(ZONE_NAME);
    if (name === undefined) return false;
    this.#found.zoneName = name;
    return true;
  }

  #offset(element: string): boolean {
    if (element.startsWith('Z') && this.#take(/^Z/) !== undefined) {
      this.#found.zone = UTC;
      return true;
    }
    const colon = element.includes(':') ? ':' : '';
    const count = element.replaceAll(/\D/g, '').length / 2;
    const match = this.#take(new RegExp(`^[+-]\\d\\d(?:${colon}\\d\\d){${String(count - 1)}}`));
    if (match === undefined) return false;
    const [hours = 0, minutes = 0, seconds = 0] = (match.match(/\d\d/g) ?? []).map(Number);
    const offset = (hours * 60 + minutes) * 60 + seconds;
    this.#found.offset = match.startsWith('-') ? -offset : offset;
    return hours <= 24 && minutes <= 60 && seconds <= 60;
  }

  #instant(): Instant | undefined {
    const found = this.#found;
    const date = this.#date();
    if (date === undefined) return undefined;
    let { hour } = found;
    if (found.half === 'pm' && hour < 12) hour += 12;
    else if (found.half === 'am' && hour === 12) hour = 0;
    const { year, minute, second, nanos } = found;
    const seconds = secondsOf({ year, ...date, hour, minute, second });
    const { zone, offset, zoneName } = found;
    if (zone !== undefined) return { seconds, nanos, zone };
    // -1 second is how Go says that there was none.
    if (offset !== undefined && offset !== -1) {
      const isHere = offset === 0 && (zoneName === '' || zoneName === 'UTC');
      return { seconds: seconds - offset, nanos, zone: isHere ? UTC : fixedZone(offset, zoneName) };
    }
    if (zoneName === '') return { seconds, nanos, zone: UTC };
    // A name alone says no offset, except after GMT.
    const hours = /^GMT[+-]/.test(zoneName) ? Number(zoneName.slice(3)) : 0;
    return { seconds, nanos, zone: fixedZone(hours * 3600, zoneName) };
  }

  /** Month and day, checked against each other and the day of the year. */
  #date(): { month: number; day: number } | undefined {
    const { year, month, day, yearDay } = this.#found;
    if (yearDay === undefined) {
      const date = { month: month ?? 1, day: day ?? 1 };
      return date.day >= 1 && date.day <= daysInMonth(year, date.month) ? date : undefined;
    }
    if (yearDay < 1 || yearDay > (isLeap(year) ? 366 : 365)) return undefined;
    let left = yearDay;
    let at = 1;
    for (; left > daysInMonth(year, at); at += 1) left -= daysInMonth(year, at);
    const agrees = (month === undefined || month === at) && (day === undefined || day === left);
    return agrees ? { month: at, day: left } : undefined;
  }
}
