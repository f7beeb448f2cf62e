import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRun, parseCron } from './index.ts';
import { wallClock, type WallTime } from './wall-clock.ts';

const MINUTE = 60_000;

function after(text: string, time: string, count = 1): (string | undefined)[] {
  const { cron, problems } = parseCron(text, 'UTC');
  if (cron === undefined) throw new Error(problems.join('; '));
  const runs: (string | undefined)[] = [];
  let at: number | undefined = Date.parse(time);
  for (let i = 0; i < count && at !== undefined; i += 1) {
    at = nextRun(cron, at);
    runs.push(at === undefined ? undefined : new Date(at).toISOString().replace('.000Z', 'Z'));
  }
  return runs;
}

describe('the next run', () => {
  // From robfig/cron's own tests.
  it.each([
    ['0/15 * * * *', '2012-07-09T14:45:00Z', '2012-07-09T15:00:00Z'],
    ['0/15 * * * *', '2012-07-09T14:59:59Z', '2012-07-09T15:00:00Z'],
    ['20-35/15 * * * *', '2012-07-09T15:45:00Z', '2012-07-09T16:20:00Z'],
    ['20-35/15 * * * *', '2012-07-09T23:46:00Z', '2012-07-10T00:20:00Z'],
    ['0 0 9 Apr-Oct ?', '2012-07-09T23:35:00Z', '2012-08-09T00:00:00Z'],
    ['0 0 9 Apr,Aug,Oct Mon', '2012-07-09T23:35:00Z', '2012-08-06T00:00:00Z'],
    ['0 0 */5 Apr,Aug,Oct Mon', '2012-07-09T23:35:00Z', '2012-08-01T00:00:00Z'],
    ['0 0 9 Feb Mon', '2012-07-09T23:35:00Z', '2013-02-04T00:00:00Z'],
    ['0 0 29 Feb ?', '2012-07-09T23:35:00Z', '2016-02-29T00:00:00Z'],
    ['@yearly', '2012-07-09T14:45:00Z', '2013-01-01T00:00:00Z'],
    ['@weekly', '2012-07-09T14:45:00Z', '2012-07-15T00:00:00Z'],
    ['@every 1h', '2012-07-09T14:45:00Z', '2012-07-09T15:45:00Z'],
    ['@every 35m20s', '2012-07-09T14:45:00.015Z', '2012-07-09T15:20:20Z'],
    ['@every 300ms', '2012-07-09T14:45:00Z', '2012-07-09T14:45:01Z'],
    ['0 3 * * *', '1969-12-31T12:00:00Z', '1970-01-01T03:00:00Z'],
  ])('of %s after %s is %s', (text, from, run) => {
    expect(after(text, from)).toEqual([run]);
  });

  it.each(['0 0 30 2 *', '0 0 31 Apr ?'])('of %s never comes', (text) => {
    expect(after(text, '2026-01-01T00:00:00Z')).toEqual([undefined]);
  });

  it('leaves out a time that the clock skips', () => {
    const berlin = 'CRON_TZ=Europe/Berlin 30 2 * * *';
    expect(after(berlin, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z']);
    // Midnight itself does not exist on that day.
    expect(after('CRON_TZ=Asia/Beirut 0 5 29 3 *', '2026-01-01T00:00:00Z')).toEqual(['2026-03-29T02:00:00Z']);
  });

  it('comes twice where the clock shows a time twice', () => {
    expect(after('CRON_TZ=Europe/Berlin 30 2 * * *', '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
  });

  it('is the first minute that the fields name, in any zone', () => {
    const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
    const part = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        number(min, max),
        fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
      );
    const line = fc
      .tuple(part(0, 59), part(0, 23), part(1, 28), part(1, 12), part(0, 6))
      .map((fields) => fields.join(' '));
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Beirut', 'Australia/Lord_Howe');
    const start = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(line, zone, start, (fields, name, from) => {
        const { cron } = parseCron(`CRON_TZ=${name} ${fields}`, 'UTC');
        const clock = wallClock(name)!;
        const run = nextRun(cron!, from);
        // Lines that run often are checked minute by minute, the others at least at their ends.
        const limit = Math.min(run ?? Infinity, from + 24 * 60 * MINUTE);
        for (let at = from - (from % MINUTE) + MINUTE; at < limit; at += MINUTE) {
          if (names(fields, clock(at)))
            throw new Error(`${fields} in ${name}: ${new Date(at).toISOString()} was passed`);
        }
        if (run !== undefined) expect(run > from && names(fields, clock(run))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

/** The meaning of a cron line, implemented again in the simplest way. */
function names(fields: string, wall: WallTime): boolean {
  const [minute, hour, date, month, weekday] = fields.split(' ') as [string, string, string, string, string];
  const is = (field: string, value: number, first: number): boolean =>
    field === '*' ||
    (field.startsWith('*/') ? (value - first) % Number(field.slice(2)) === 0 : Number(field) === value);
  const [byDate, byWeekday] = [is(date, wall.day, 1), is(weekday, wall.weekday, 0)];
  const isDay = date === '*' || weekday === '*' ? byDate && byWeekday : byDate || byWeekday;
  return isDay && is(minute, wall.minute, 0) && is(hour, wall.hour, 0) && is(month, wall.month, 1);
}
