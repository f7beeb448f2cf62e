import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../base/index.ts';
import { parseIni } from './ini.ts';

const plain = (text: string) =>
  Object.fromEntries([...parseIni(text)].map(([name, keys]) => [name, Object.fromEntries(keys)]));

describe('credentials in INI form', () => {
  it('are read as AWS reads them', () => {
    const text = [
      '\uFEFF# comment',
      '[default] ; comment',
      'aws_access_key_id = AKIA',
      'AWS_Secret_Access_Key=a/b+c=d#e;f  # comment',
      '',
      '[profile other]',
      's3 =',
      '  max_concurrent_requests = 20',
      'region=eu-west-1\r',
      '; comment',
      '[default]',
      'aws_access_key_id = BKIA',
    ].join('\n');
    expect(plain(text)).toEqual({
      default: { aws_access_key_id: 'BKIA', aws_secret_access_key: 'a/b+c=d#e;f' },
      other: { s3: '', region: 'eu-west-1' },
    });
  });

  it.each([
    ['key = value', 'line 1: expected a [profile]'],
    ['[a]\nsecret-without-equals', 'line 2: expected key = value'],
    ['[a]\n= secret', 'line 2: expected key = value'],
  ])('that are wrong are refused without showing them: %j', (text, message) => {
    expect(() => parseIni(text)).toThrow(message);
    expect(() => parseIni(text)).not.toThrow('secret');
  });

  it('come back as they were written', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
    const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);
    const value = fc.stringMatching(/^[A-Za-z0-9/+=#;_-]{1,40}$/);
    const file = fc.dictionary(name, fc.dictionary(key, value, { noNullPrototype: true }), { noNullPrototype: true });
    fc.assert(
      fc.property(file, fc.constantFrom('\n', '\r\n'), fc.constantFrom('=', ' = '), (profiles, end, equals) => {
        const lines = Object.entries(profiles).flatMap(([section, keys]) => [
          `[${section}]`,
          ...Object.entries(keys).map(([k, v]) => `${k}${equals}${v}`),
        ]);
        const parsed = parseIni(lines.join(end));
        expect(parsed.size).toBe(Object.keys(profiles).length);
        for (const [section, keys] of Object.entries(profiles)) {
          expect([...(parsed.get(section) ?? [])]).toEqual(Object.entries(keys));
        }
      }),
    );
  });

  it('of any kind are read or refused, never something else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseIni(text);
        } catch (error) {
          expect(isAppError(error, 'invalidConfig')).toBe(true);
        }
      }),
    );
    expect(() => parseIni('x'.repeat(2_000_000))).toThrow('more than');
  });
});
