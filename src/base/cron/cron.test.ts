import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CRON_FIELDS, parseField, WRAPPING_FIELDS, type CronField } from './cron-field.ts';
import { parseCron } from './cron.ts';

const valuesOf = (text: string, field: number): number[] | string => {
  const parsed = parseField(text, CRON_FIELDS[field]!);
  return 'problem' in parsed ? parsed.problem : [...parsed.values].sort((a, b) => a - b);
};

describe('a field', () => {
  it.each<[string, number, number[]]>([
    ['5', 0, [5]],
    ['+5', 0, [5]],
    ['1,3,,5', 0, [1, 3, 5]],
    ['10-13', 1, [10, 11, 12, 13]],
    ['10-14/2', 1, [10, 12, 14]],
    ['50/3', 0, [50, 53, 56, 59]],
    ['*/20', 0, [0, 20, 40]],
    ['?', 4, [0, 1, 2, 3, 4, 5, 6]],
    ['MON-wed', 4, [1, 2, 3]],
    ['jan,Dec', 3, [1, 12]],
  ])('%s of field %i is %o', (text, field, values) => {
    expect(valuesOf(text, field)).toEqual(values);
  });

  it.each<[string, number, RegExp]>([
    ['60', 0, /^minute: expected 0 to 59, got "60"$/],
    ['0', 2, /^day of month: expected 1 to 31, got "0"$/],
    ['7', 4, /^day of week: expected 0 to 6 or sun, .*, got "7"$/],
    ['5-3', 1, /^hour: "5-3" ends before it begins$/],
    ['1-2-3', 1, /^hour: too many hyphens/],
    ['*/2/3', 0, /^minute: too many slashes/],
    ['*/0', 0, /^minute: the step of "\*\/0" must not be 0$/],
    ['*/x', 0, /^minute: expected a number after the slash/],
    ['-5', 0, /^minute: expected 0 to 59, got ""$/],
    ['constructor', 3, /^month: expected/],
    [',', 0, /^minute: expected a value/],
  ])('%s of field %i is refused', (text, field, problem) => {
    expect(valuesOf(text, field)).toMatch(problem);
  });

  it.each<[string, number, number[]]>([
    ['7', 4, [0]],
    ['5-7', 4, [0, 5, 6]],
    ['FRI-mon', 4, [0, 1, 5, 6]],
    ['1/3', 4, [0, 1, 4]],
    ['*', 4, [0, 1, 2, 3, 4, 5, 6]],
    ['22-2', 1, [0, 1, 2, 22, 23]],
    ['22-4/3', 1, [1, 4, 22]],
    ['30-2', 2, [1, 2, 30, 31]],
    ['nov-feb', 3, [1, 2, 11, 12]],
  ])('%s of field %i of a Schedule is %o, over the end', (text, field, values) => {
    const parsed = parseField(text, WRAPPING_FIELDS[field]!) as CronField;
    expect([...parsed.values].sort((a, b) => a - b)).toEqual(values);
    expect(parseCron('0 0 * * 7', 'UTC', 'kubernetes').problems).toHaveLength(1);
  });

  it('is open only as a whole, because days are combined by that', () => {
    const isOpen = (text: string): boolean => (parseField(text, CRON_FIELDS[2]!) as CronField).isOpen;
    expect(['*', '?', '*/1', '*/2', '1-31', '1,*'].map(isOpen)).toEqual([true, true, true, false, false, true]);
  });

  it('names only numbers within its bounds, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0 1 2 3 4 5 6 7 8 9 * ? , - / a j n s u'.split(' ')) });
    fc.assert(
      fc.property(text, fc.nat(4), (input, field) => {
        const { min, max } = CRON_FIELDS[field]!;
        const parsed = parseField(input, CRON_FIELDS[field]!);
        if ('problem' in parsed) expect(parsed.problem).not.toBe('');
        else expect([...parsed.values].every((value) => value >= min && value <= max)).toBe(true);
      }),
    );
  });
});

describe('a schedule', () => {
  it.each([
    '0 3 * * *',
    '  0   3 * * * ',
    '@daily',
    'CRON_TZ=Europe/Berlin 0 3 * * *',
    'TZ=UTC @hourly',
    'TZ=Local 0 3 * * *',
    '@every 1h30m',
  ])('%s is read', (text) => {
    expect(parseCron(text, 'UTC').problems).toBeUndefined();
  });

  it.each<[string, RegExp[]]>([
    ['', [/got nothing/]],
    ['every now and then', [/expected exactly 5 fields, found 4: \[every now and then\]/]],
    ['0 3 * * * *', [/expected exactly 5 fields, found 6/]],
    ['61 24 * * *', [/^minute: /, /^hour: /]],
    ['@Daily', [/expected @yearly/]],
    ['@every', [/expected @yearly/]],
    ['@every soon', [/@every: expected a duration such as 1h30m, got "soon"/]],
    ['@every -1h', [/@every: /]],
    ['CRON_TZ=Mars/Olympus 0 3 * * *', [/time zone: there is none named "Mars\/Olympus"/]],
    ['CRON_TZ=+01:00 0 3 * * *', [/time zone/]],
    ['CRON_TZ=UTC', [/found 0/]],
    ['x'.repeat(2000), [/at most 1000 characters/]],
  ])('%s is refused with every problem', (text, problems) => {
    const found = parseCron(text, 'UTC').problems ?? [];
    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem);
  });

  it('takes any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const { cron, problems } = parseCron(text, 'UTC');
        expect(cron === undefined).toBe((problems?.length ?? 0) > 0);
      }),
    );
  });
});
