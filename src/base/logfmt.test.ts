import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logfmtLine, readLogfmt } from './logfmt.ts';

const TIME = Date.UTC(2026, 10, 16, 3, 4, 5, 678);

it('writes a line as Velero does', () => {
  const line = logfmtLine(TIME, 'info', 'Backed up 3 items', { backup: 'velero/nightly', resource: 'pods' });
  expect(line).toBe(
    'time="2026-11-16T03:04:05Z" level=info msg="Backed up 3 items" backup=velero/nightly resource=pods',
  );
});

it('quotes what would break the line, and leaves out what is not there', () => {
  const fields = {
    error: 'two\nlines "quoted"',
    size: 9007199254740993n,
    list: ['a', 'b'],
    nothing: undefined,
    none: null,
    unwritable: Symbol('no JSON'),
  };
  expect(logfmtLine(TIME, 'error', 'bad', fields)).toBe(
    'time="2026-11-16T03:04:05Z" level=error msg="bad" error="two\\nlines \\"quoted\\"" ' +
      'size="\\"9007199254740993\\"" list="[\\"a\\",\\"b\\"]" none=null unwritable=null',
  );
});

it('reads what it writes', () => {
  const key = fc.stringMatching(/^[a-z][\w-]{0,20}$/).filter((name) => !['time', 'level', 'msg'].includes(name));
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.dictionary(key, fc.string({ unit: 'binary' }), { maxKeys: 5, noNullPrototype: true }),
      (message, fields) => {
        const read = readLogfmt(logfmtLine(TIME, 'warning', message, fields));
        expect(read).toEqual({ time: TIME - 678, level: 'warning', message, fields });
      },
    ),
  );
});

it.each([
  '',
  'some text',
  'time="x" level=info msg="a"',
  'level=info msg="a"',
  'time="2026-11-16T03:04:05Z" level=info msg="a',
  'time="2026-11-16T03:04:05Z" level=info msg="\\x"',
])('does not read %j', (text) => {
  expect(readLogfmt(text)).toBeUndefined();
});
