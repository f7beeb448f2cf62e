import { goQuote } from '../format/quote.ts';
import { fn, text, whole, type Parameter } from '../value/function.ts';
import { int, int64 } from '../value/make.ts';
import { INT } from '../value/type.ts';
import { Int, Struct, type Callable, type Type, type Value } from '../value/value.ts';
import { formatTime } from './format-time.ts';
import { secondsOf } from './calendar.ts';
import { ZERO_SECONDS, civil, type Instant } from './instant.ts';
import { MONTHS, WEEKDAYS } from './names.ts';
import { parseTime } from './parse-time.ts';
import { UTC } from './zone.ts';

const named = (name: string, names: readonly string[], first: number): Type => ({
  ...INT,
  text: name,
  string: (value) => names[Number((value as Int).value) - first] ?? String((value as Int).value),
});
const MONTH = named('time.Month', MONTHS, 1);
const WEEKDAY = named('time.Weekday', WEEKDAYS, 0);

const instantOf = (value: Value): Instant => (value as Struct).inner as Instant;
const method =
  (run: (at: Instant) => Value) =>
  (receiver: Value): Callable =>
    fn([], () => run(instantOf(receiver)));
const compared =
  (test: (a: number, b: number, nanos: number) => boolean) =>
  (receiver: Value): Callable =>
    fn([moment], (other) => {
      const at = instantOf(receiver);
      return test(at.seconds, other.seconds, at.nanos - other.nanos);
    });
const GO_TEXT = '2006-01-02 15:04:05.999999999 -0700 MST';
const RFC3339 = '2006-01-02T15:04:05Z07:00';
const RFC3339_NANO = '2006-01-02T15:04:05.999999999Z07:00';

/** Go's time.Time with the methods that templates use. */
export const TIME: Type = {
  kind: 'struct',
  text: 'time.Time',
  string: (value) => formatTime(instantOf(value), GO_TEXT),
  goString: (value) => goSource(instantOf(value)),
  json: (value) => `"${formatTime(instantOf(value), RFC3339_NANO)}"`,
  isSame: (a, b) => {
    const [one, other] = [instantOf(a), instantOf(b)];
    const [zone, otherZone] = [one.zone.at(one.seconds), other.zone.at(other.seconds)];
    const isSameZone = zone.offset === otherZone.offset && zone.name === otherZone.name;
    return one.seconds === other.seconds && one.nanos === other.nanos && isSameZone;
  },
  methods: {
    Year: method((at) => int(civil(at).year)),
    Month: method((at) => new Int(MONTH, BigInt(civil(at).month))),
    Day: method((at) => int(civil(at).day)),
    Hour: method((at) => int(civil(at).hour)),
    Minute: method((at) => int(civil(at).minute)),
    Second: method((at) => int(civil(at).second)),
    Nanosecond: method((at) => int(at.nanos)),
    Weekday: method((at) => new Int(WEEKDAY, BigInt(civil(at).weekday))),
    YearDay: method((at) => int(civil(at).yearDay)),
    Unix: method((at) => int64(at.seconds)),
    UnixMilli: method((at) => int64(BigInt(at.seconds) * 1000n + BigInt(Math.floor(at.nanos / 1e6)))),
    UnixMicro: method((at) => int64(BigInt(at.seconds) * 1_000_000n + BigInt(Math.floor(at.nanos / 1000)))),
    UnixNano: method((at) => int64(BigInt(at.seconds) * 1_000_000_000n + BigInt(at.nanos))),
    UTC: method((at) => timeValue({ ...at, zone: UTC })),
    Local: method((at) => timeValue({ ...at, zone: UTC })),
    IsZero: method((at) => at.seconds === ZERO_SECONDS && at.nanos === 0),
    String: method((at) => formatTime(at, GO_TEXT)),
    Format: (receiver) => fn([text], (layout) => formatTime(instantOf(receiver), layout)),
    AddDate: (receiver) =>
      fn([whole, whole, whole], (years, months, days) => added(instantOf(receiver), { years, months, days })),
    Before: compared((a, b, nanos) => a < b || (a === b && nanos < 0)),
    After: compared((a, b, nanos) => a > b || (a === b && nanos > 0)),
    Equal: compared((a, b, nanos) => a === b && nanos === 0),
  },
};

/** A time.Time as an argument. */
export const moment: Parameter<Instant> = { type: TIME, read: instantOf };

/** A struct of Go with a time inside, such as Kubernetes has: it has the same methods, and is null in JSON if zero. */
export function timeOfKind(name: string): { type: Type; from: (text: string | undefined) => Struct } {
  const zero: Instant = { seconds: ZERO_SECONDS, nanos: 0, zone: UTC };
  const type: Type = {
    ...TIME,
    text: name,
    json: (value) => {
      const at = instantOf(value);
      return at.seconds === ZERO_SECONDS ? 'null' : `"${formatTime({ ...at, zone: UTC }, RFC3339)}"`;
    },
  };
  const from = (text: string | undefined): Struct =>
    new Struct(type, new Map(), (text === undefined ? undefined : parseTime(RFC3339, text)) ?? zero);
  return { type, from };
}

export function timeValue(instant: Instant): Struct {
  return new Struct(TIME, new Map(), instant);
}

function added(at: Instant, by: { years: number; months: number; days: number }): Struct {
  const { offset } = at.zone.at(at.seconds);
  const date = civil(at);
  const moved = { ...date, year: date.year + by.years, month: date.month + by.months, day: date.day + by.days };
  return timeValue({ ...at, seconds: secondsOf(moved) - offset });
}

function goSource(at: Instant): string {
  const { year, month, day, hour, minute, second } = civil(at);
  const zone = at.zone === UTC ? 'time.UTC' : `time.Location(${goQuote(at.zone.at(at.seconds).name)})`;
  return `time.Date(${[year, `time.${String(MONTHS[month - 1])}`, day, hour, minute, second, at.nanos, zone].join(', ')})`;
}
