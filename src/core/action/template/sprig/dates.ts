import { formatGoDuration, parseGoDuration } from '../../../../base/index.ts';
import { formatTime } from '../time/format-time.ts';
import { ZERO_SECONDS, type Instant } from '../time/instant.ts';
import { parseTime } from '../time/parse-time.ts';
import { TIME, moment, timeValue } from '../time/time-type.ts';
import { UTC, namedZone } from '../time/zone.ts';
import { any, costly, fn, text } from '../value/function.ts';
import { Int, Pointer, Struct, type Callable, type Run, type Value } from '../value/value.ts';

const HTML_DATE = '2006-01-02';
const SECOND = 1_000_000_000n;
const ZERO: Instant = { seconds: ZERO_SECONDS, nanos: 0, zone: UTC };

function now(run: Run): Instant {
  const seconds = Math.floor(run.now / 1000);
  return { seconds, nanos: Math.round((run.now - seconds * 1000) * 1e6), zone: UTC };
}

/** Of a time, or of seconds since 1970. Anything else, a time written as text above all, means now: so sprig has it. */
function instantOf(value: Value, run: Run): Instant {
  const target = value instanceof Pointer ? value.target : value;
  if (target instanceof Struct && target.type === TIME) return target.inner as Instant;
  if (target instanceof Int && ['int', 'int32', 'int64'].includes(target.type.text)) {
    return { seconds: Number(target.value), nanos: 0, zone: UTC };
  }
  return now(run);
}

function inZone(run: Run, layout: string, value: Value, zone: string): string {
  return formatTime({ ...instantOf(value, run), zone: namedZone(zone) ?? UTC }, layout);
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** A duration as Go counts it: whole nanoseconds, what is less is cut off. Undefined if it is none. */
function nanosOf(duration: string): bigint | undefined {
  if (parseGoDuration(duration) === undefined) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of duration.matchAll(/(\d*)\.?(\d*)([a-zµμ]+)/g)) {
    const size = UNITS[unit] ?? 0n;
    total += BigInt(whole === '' ? '0' : whole) * size;
    total += (BigInt(fraction === '' ? '0' : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return duration.startsWith('-') ? -total : total;
}

function added(duration: string, at: Instant): Struct {
  const nanos = nanosOf(duration);
  if (nanos === undefined) return timeValue(at);
  const sum = BigInt(at.nanos) + nanos;
  const rest = ((sum % SECOND) + SECOND) % SECOND;
  return timeValue({ ...at, seconds: at.seconds + Number((sum - rest) / SECOND), nanos: Number(rest) });
}

function ago(run: Run, value: Value): string {
  const { seconds, nanos } = instantOf(value, run);
  const ms = run.now - seconds * 1000 - nanos / 1e6;
  // Halves are rounded away from nought.
  return formatGoDuration(Math.sign(ms) * Math.round(Math.abs(ms) / 1000) * 1000);
}

const zoned = costly([text, any, text], inZone);
const modify = fn([text, moment], added);

export const DATES: Readonly<Record<string, Callable>> = {
  now: costly([], (run) => timeValue(now(run))),
  date: costly([text, any], (run, layout, value) => inZone(run, layout, value, 'UTC')),
  dateInZone: zoned,
  date_in_zone: zoned,
  htmlDate: costly([any], (run, value) => inZone(run, HTML_DATE, value, 'UTC')),
  htmlDateInZone: costly([any, text], (run, value, zone) => inZone(run, HTML_DATE, value, zone)),
  dateModify: modify,
  date_modify: modify,
  ago: costly([any], ago),
  toDate: fn([text, text], (layout, value) => timeValue(parseTime(layout, value) ?? ZERO)),
  unixEpoch: fn([moment], ({ seconds }) => String(seconds)),
};
