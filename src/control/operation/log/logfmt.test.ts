import { expect, it } from 'vitest';
import { logfmtLine } from './logfmt.ts';

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
  };
  expect(logfmtLine(TIME, 'error', 'bad', fields)).toBe(
    'time="2026-11-16T03:04:05Z" level=error msg="bad" error="two\\nlines \\"quoted\\"" ' +
      'size="\\"9007199254740993\\"" list="[\\"a\\",\\"b\\"]" none=null',
  );
});
