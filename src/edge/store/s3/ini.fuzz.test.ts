import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isAppError } from '../../../base/index.ts';
import { checkPlugins } from './credential-plugins.ts';
import { parseIni } from './ini.ts';
import { cpuMs } from '../../../../test/cpu-time.ts';

const MAX_LENGTH = 256 * 1024;
/** A parser that is slow on a text of maximum length would block everything else. */
const LIMIT_MS = 1000;

const word = fc.constantFrom('aws_access_key_id', 'credential_process', 'sso_start_url', 'role_arn', 'touch', 'a');
const line = fc.oneof(
  fc.tuple(fc.constantFrom('', ' ', '\t', '\u00a0', '\uFEFF'), word, fc.constantFrom('=', ' = ', '=\t', ''), word),
  fc.tuple(fc.constantFrom('[', ' [', '[profile '), word, fc.constantFrom(']', '] # x', ']]', '')),
  fc.tuple(fc.constantFrom('#', ';', '', '\\', '"'), fc.string({ unit: 'binary', maxLength: 10 })),
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\v', '\u2028')), { maxLength: 12 })
  .map((lines) => lines.map(([parts, end]) => parts.join('') + end).join(''));

/** What any other parser could take for a setting, as loosely as possible. */
function looseKeys(ini: string): string[] {
  return ini
    .split(/[\n\r\v\f\u0085\u2028\u2029]/)
    .map((one) => one.replace(/^[\s\uFEFF]+/, ''))
    .filter((one) => !/^[#;]/.test(one) && /^credential_process\s*=/i.test(one));
}

/** From past attacks: each hid a program from the check at that time. */
const PAST = [
  '[default]\naws_access_key_id=a\naws_access_key_id=\n credential_process=touch /tmp/x',
  '[default]\ncredential_process=\ncredential_process=touch /tmp/x\n',
  '[default]\ns3=\n credential_process=touch /tmp/x\n',
  '[default]\naws_access_key_id=a\n[default]\ncredential_process=touch /tmp/x\n',
  '[default]\n# x\rcredential_process=touch /tmp/x\n',
  '[default]\n# x\u2028credential_process=touch /tmp/x\n',
];

describe('any text as credentials', () => {
  it('is read as what it plainly says, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (ini) => {
        try {
          const profiles = parseIni(ini);
          const found = [...profiles.values()].filter((one) => one.has('credential_process'));
          expect(found).toHaveLength(looseKeys(ini).length);
          for (const one of profiles.values()) for (const value of one.values()) expect(value).toMatch(/^[!-~]/);
        } catch (error) {
          if (!isAppError(error, 'invalidConfig')) throw error;
        }
      }),
      { numRuns: fuzzRuns(300), examples: PAST.map((one): [string] => [one]) },
    );
  });

  it('cannot hide a program, as it once could', () => {
    for (const ini of PAST) {
      expect(() => {
        checkPlugins(parseIni(ini), [], 'Secret');
      }).toThrow(/line \d+: expected|credential_process/);
    }
  });

  it('comes back as it was written', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
    const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);
    const value = fc.stringMatching(/^[A-Za-z0-9/+=_-][A-Za-z0-9/+=#;_-]{0,40}$/);
    const file = fc.dictionary(name, fc.dictionary(key, value, { noNullPrototype: true }), { noNullPrototype: true });
    fc.assert(
      fc.property(file, fc.constantFrom('\n', '\r\n'), fc.constantFrom('=', ' = '), (profiles, end, equals) => {
        const lines = Object.entries(profiles).flatMap(([section, keys]) => [
          `[${section}]`,
          ...Object.entries(keys).map(([k, v]) => `${k}${equals}${v}`),
        ]);
        const parsed = parseIni(lines.join(end));
        expect([...parsed].map(([section, keys]) => [section, [...keys]])).toEqual(
          Object.entries(profiles).map(([section, keys]) => [section, Object.entries(keys)]),
        );
      }),
      { numRuns: fuzzRuns(50) },
    );
  });

  it.each(['[', ' ', '\t', 'a', '[profile ', '=', 'a=b #', '\n', ' #', '[a]\na =  ', '\r', '\uFEFF'])(
    'is read in no time, also %j over and over',
    (piece) => {
      const ini = `[a]\n${piece.repeat(MAX_LENGTH / piece.length - 10)}x`;
      const ms = cpuMs(() => {
        try {
          parseIni(ini);
        } catch (error) {
          expect(isAppError(error, 'invalidConfig')).toBe(true);
        }
      });
      expect(ms).toBeLessThan(LIMIT_MS);
    },
  );
});
