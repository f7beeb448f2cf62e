import { describe, expect, it } from 'vitest';
import { parseIni } from './ini.ts';

const plain = (text: string) =>
  Object.fromEntries([...parseIni(text)].map(([name, keys]) => [name, Object.fromEntries(keys)]));

describe('credentials in INI form', () => {
  it('are read as AWS reads them', () => {
    const text = [
      '# comment: schöne Grüße',
      '[default] ; comment',
      'aws_access_key_id = AKIA',
      'AWS_Secret_Access_Key=a/b+c=d#e;f  # comment',
      '',
      '[profile other]',
      'region=eu-west-1\r',
      '   ; comment',
      '\t',
      '[user@example.com/role:x]',
    ].join('\n');
    expect(plain(text)).toEqual({
      default: { aws_access_key_id: 'AKIA', aws_secret_access_key: 'a/b+c=d#e;f' },
      other: { region: 'eu-west-1' },
      'user@example.com/role:x': {},
    });
  });

  it.each([
    ['key = secret', 'line 1: expected a [profile]'],
    ['[a]\nsecret-without-equals', 'line 2: expected key = value'],
    ['[a]\n= secret', 'line 2: expected key = value'],
    ['[a]\nse cret = secret', 'line 2: expected key = value'],
    ['[a]\nkey =\nother = secret', 'line 2: expected a value'],
    ['[a]\nkey = # secret', 'line 2: expected a value'],
    ['[a]\nkey = 1\nKEY = secret', 'line 3: expected each key once'],
    ['[a]\n[b]\n[a]\nkey = secret', 'line 3: expected each profile once'],
    ['[a]\n[profile a]\nkey = secret', 'line 2: expected each profile once'],
    ['[a]\nkey = 1\n secret = 1', 'line 3: expected no blank at its beginning'],
    ['[a]\ns3 = x\n\tsecret = 1', 'line 3: expected no blank at its beginning'],
    ['[sso-session secret]', 'line 1: expected a profile as [name]'],
    ['[]', 'line 1: expected a profile as [name]'],
    ['[a', 'line 1: expected a profile as [name]'],
    ['[a]secret=1', 'line 1: expected a profile as [name]'],
    ['[a]\nkey = ge\u0301heim secret', 'line 2: expected ASCII'],
    ['\uFEFF[a]\nkey = secret', 'line 1: expected ASCII'],
    ['[a]\nkey\u00a0= secret', 'line 2: expected ASCII'],
    ['[a]\nkey = 1\rsecret = 1', 'line 2: expected no control characters'],
    ['[a]\n# comment\rcredential_process = secret', 'line 2: expected no control characters'],
    ['[a]\nkey = sec\0ret', 'line 2: expected no control characters'],
    ['# comment\u2028credential_process = secret', 'line 1: expected no control characters'],
  ])('that could be read in two ways are refused without showing them: %j', (text, message) => {
    expect(() => parseIni(text)).toThrow(message);
    expect(() => parseIni(text)).not.toThrow('secret');
  });

  it('are refused when there is too much of them', () => {
    expect(() => parseIni('x'.repeat(256 * 1024 + 1))).toThrow('more than');
  });
});
