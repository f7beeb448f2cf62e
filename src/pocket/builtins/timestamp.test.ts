import { describe, expect, it } from 'vitest';
import { formatTime, parseMicroTime, parseTime } from './timestamp.ts';

describe('parseTime', () => {
  it.each([
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00+02:00', '2019-12-31T22:00:00Z'],
    ['2020-01-01T00:00:00.987654321Z', '2020-01-01T00:00:00Z'],
    ['2020-02-29T23:59:59-01:30', '2020-03-01T01:29:59Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('%s is %s', (input, text) => {
    expect(parseTime(input)).toEqual({ text });
  });

  it.each([
    ['x', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['2020-01-01', 'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2020-02-30T00:00:00Z', 'parsing time "2020-02-30T00:00:00Z": day out of range'],
    ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
  ])('%s is refused as Go refuses it', (input, error) => {
    expect(parseTime(input)).toEqual({ error });
  });
});

describe('parseMicroTime', () => {
  it('wants and writes six digits', () => {
    expect(parseMicroTime('2020-01-01T00:00:00.500000+01:00')).toEqual({ text: '2019-12-31T23:00:00.500000Z' });
    expect(parseMicroTime('2020-01-01T00:00:00.5Z')).toEqual({
      error:
        'parsing time "2020-01-01T00:00:00.5Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".5Z" as ".000000"',
    });
  });
});

describe('formatTime', () => {
  it('has no form for years beyond four digits', () => {
    expect(formatTime(0, 12)).toBe('1970-01-01T00:00:00.000012Z');
    expect(formatTime(1e12)).toBeUndefined();
    expect(formatTime(1e300)).toBeUndefined();
  });
});
