import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { terminalOutput } from './terminal-output.ts';

it.each([
  [{ columns: 120, rows: 40 }, 120, 40],
  [{ columns: 0, rows: 0 }, 80, undefined],
  [{}, 80, undefined],
])('takes a terminal of the size %j for one of %s columns and %s rows', (size, columns, rows) => {
  const output = terminalOutput(Object.assign(new PassThrough(), size), new PassThrough());
  expect([output.columns, output.rows]).toEqual([columns, rows]);
});
