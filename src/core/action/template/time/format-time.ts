import type { Civil } from './calendar.ts';
import { civil, type Instant } from './instant.ts';
import { readLayout, type Element, type Piece } from './layout.ts';
import { MONTHS, WEEKDAYS } from './names.ts';
import type { ZoneState } from './zone.ts';

const padded = (value: number, width: number, filler = '0'): string => {
  const sign = value < 0 ? '-' : '';
  return sign + String(Math.abs(value)).padStart(width, filler);
};

/** Everything but zones and fractions. */
const SIMPLE: Partial<Record<Element, (at: Civil) => string>> = {
  January: ({ month }) => String(MONTHS[month - 1]),
  Jan: ({ month }) => String(MONTHS[month - 1]).slice(0, 3),
  '1': ({ month }) => String(month),
  '01': ({ month }) => padded(month, 2),
  Monday: ({ weekday }) => String(WEEKDAYS[weekday]),
  Mon: ({ weekday }) => String(WEEKDAYS[weekday]).slice(0, 3),
  '2': ({ day }) => String(day),
  _2: ({ day }) => padded(day, 2, ' '),
  '02': ({ day }) => padded(day, 2),
  __2: ({ yearDay }) => padded(yearDay, 3, ' '),
  '002': ({ yearDay }) => padded(yearDay, 3),
  '15': ({ hour }) => padded(hour, 2),
  '3': ({ hour }) => String(twelve(hour)),
  '03': ({ hour }) => padded(twelve(hour), 2),
  '4': ({ minute }) => String(minute),
  '04': ({ minute }) => padded(minute, 2),
  '5': ({ second }) => String(second),
  '05': ({ second }) => padded(second, 2),
  '2006': ({ year }) => padded(year, 4),
  '06': ({ year }) => padded(Math.abs(year) % 100, 2),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
};

/** As Go's Time.Format. */
export function formatTime(instant: Instant, layout: string): string {
  const at = civil(instant);
  const zone = instant.zone.at(instant.seconds);
  return readLayout(layout)
    .map((piece) => piece.literal + written(piece, { at, zone, nanos: instant.nanos }))
    .join('');
}

function written({ element, text }: Piece, time: { at: Civil; zone: ZoneState; nanos: number }): string {
  if (element === undefined) return '';
  if (element === 'fraction') return fraction(text, time.nanos);
  if (element === 'MST') return time.zone.name === '' ? offsetText('-0700', time.zone.offset) : time.zone.name;
  return SIMPLE[element]?.(time.at) ?? offsetText(element, time.zone.offset);
}

function twelve(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function fraction(text: string, nanos: number): string {
  const digits = padded(nanos, 9)
    .slice(0, text.length - 1)
    .padEnd(Math.min(9, text.length - 1), '0');
  if (text.charAt(1) === '0') return text.charAt(0) + digits;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '' : text.charAt(0) + trimmed;
}

/** `Z` forms write UTC as Z; the others, and all other zones, write an offset. */
function offsetText(element: string, offset: number): string {
  if (element.startsWith('Z') && offset === 0) return 'Z';
  const minutes = Math.abs(Math.trunc(offset / 60));
  const digits = [padded(Math.floor(minutes / 60), 2), padded(minutes % 60, 2), padded(Math.abs(offset) % 60, 2)];
  const count = element.replaceAll(/\D/g, '').length / 2;
  return (Math.trunc(offset / 60) < 0 ? '-' : '+') + digits.slice(0, count).join(element.includes(':') ? ':' : '');
}
