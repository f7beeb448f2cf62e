import { parseGoDuration } from '../units.ts';
import { CRON_FIELDS, parseField, WRAPPING_FIELDS, type CronField } from './cron-field.ts';
import { wallClock, type WallClock } from './wall-clock.ts';

export interface CronLine {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  daysOfMonth: CronField;
  months: ReadonlySet<number>;
  daysOfWeek: CronField;
}

/** When a schedule runs: at wall-clock times in a zone, or a fixed time after its last run. */
export type Cron = { kind: 'line'; line: CronLine; clock: WallClock } | { kind: 'every'; everyMs: number };
export type ParsedCron = { cron: Cron; problems?: undefined } | { cron?: undefined; problems: string[] };

const LINES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const EVERY = '@every ';
const MAX_LENGTH = 1000;

/** `kubernetes` accepts only what CronJobs accept. */
export type CronDialect = 'velero' | 'kubernetes';

/**
 * Reads what robfig/cron v3's standard parser reads and, for Velero, what Velero's own parser accepts in addition.
 * `zone` is the server's, for lines that name none.
 */
export function parseCron(text: string, zone: string, dialect: CronDialect = 'velero'): ParsedCron {
  if (text.length > MAX_LENGTH) return { problems: [`expected at most ${MAX_LENGTH} characters, got ${text.length}`] };
  if (text.trim() === '') return { problems: ['expected five fields or @every, @daily and the like, got nothing'] };
  const { zoneName, rest } = splitZone(text, zone);
  const clock = wallClock(zoneName);
  if (clock === undefined) return { problems: [`time zone: there is none named "${zoneName}"`] };
  if (rest.startsWith('@')) return parseDescriptor(rest, clock);
  const fields = rest.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== CRON_FIELDS.length) {
    return { problems: [`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`] };
  }
  return parseLine(fields, clock, dialect);
}

function splitZone(text: string, zone: string): { zoneName: string; rest: string } {
  const named = /^(?:CRON_TZ|TZ)=(\S*)\s*/.exec(text);
  const zoneName = named?.[1] ?? zone;
  return { zoneName: zoneName === 'Local' ? zone : zoneName, rest: text.slice(named?.[0].length ?? 0).trim() };
}

function parseDescriptor(text: string, clock: WallClock): ParsedCron {
  const line = Object.hasOwn(LINES, text) ? LINES[text] : undefined;
  if (line !== undefined) return parseLine(line.split(' '), clock, 'kubernetes');
  if (!text.startsWith(EVERY)) {
    return { problems: [`expected ${Object.keys(LINES).join(', ')} or @every and a duration, got "${text}"`] };
  }
  const ms = parseGoDuration(text.slice(EVERY.length));
  // robfig/cron reads a negative duration as one second, which nobody means.
  if (ms === undefined || ms <= 0) {
    return { problems: [`@every: expected a duration such as 1h30m, got "${text.slice(EVERY.length)}"`] };
  }
  return { cron: { kind: 'every', everyMs: Math.max(1000, ms - (ms % 1000)) } };
}

function parseLine(texts: readonly string[], clock: WallClock, dialect: CronDialect): ParsedCron {
  const fields = dialect === 'velero' ? WRAPPING_FIELDS : CRON_FIELDS;
  const parsed = fields.map((field, index) => parseField(String(texts[index]), field));
  const problems = parsed.flatMap((field) => ('problem' in field ? [field.problem] : []));
  if (problems.length > 0) return { problems };
  const at = (index: number): CronField => parsed[index] as CronField;
  const line = {
    minutes: at(0).values,
    hours: at(1).values,
    daysOfMonth: at(2),
    months: at(3).values,
    daysOfWeek: at(4),
  };
  return { cron: { kind: 'line', line, clock } };
}
