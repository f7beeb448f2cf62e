import { describe, expect, it } from 'vitest';
import { checkToldVersion, FORMAT_VERSION } from './index.ts';

describe('a backup that says it is of format version', () => {
  it.each([
    { version: 1, formatVersion: '1.1.0' },
    { version: 1 },
    { formatVersion: FORMAT_VERSION },
    { formatVersion: '1.0.0' },
    { formatVersion: '1.1.7' },
    { formatVersion: '1' },
    { formatVersion: '' },
    { version: 0, formatVersion: 'v1.1' },
    {},
    { version: null, formatVersion: {} },
  ])('%j is read', (told) => {
    expect(checkToldVersion(told)).toEqual({});
  });

  it.each([
    { version: 1, formatVersion: '9.9.9' },
    { version: 99, formatVersion: '1.1.0' },
    { version: 2 },
    { formatVersion: '2' },
    { formatVersion: '2.0.0-alpha' },
    { version: '2' },
  ])('%j is refused: its major version is newer', (told) => {
    expect(checkToldVersion(told)).toEqual({ problem: expect.stringMatching(/, newer than 1\.1\.0, /) as string });
  });

  it.each([{ version: 1, formatVersion: '1.2.0' }, { formatVersion: '1.10' }])('%j is read with a warning', (told) => {
    expect(checkToldVersion(told)).toEqual({ warning: expect.stringMatching(/, newer than 1\.1\.0, /) as string });
  });

  it.each([{ formatVersion: 'one' }, { formatVersion: '1 1' }, { version: -1 }, { formatVersion: 'x'.repeat(10_000) }])(
    'nobody understands is refused, in few words',
    (told) => {
      const { problem = '' } = checkToldVersion(told);
      expect(problem).toMatch(/^its format version is ".*", expected one such as 1\.1\.0$/);
      expect(problem.length).toBeLessThan(200);
    },
  );
});
