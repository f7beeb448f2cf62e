import { expect, it } from 'vitest';
import { NO_LOG } from './log.ts';

it('NO_LOG takes every line and gives a child', () => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    expect(() => {
      NO_LOG[level]('line', { a: 1 });
    }).not.toThrow();
  }
  expect(NO_LOG.child({ kind: 'Backup' })).toBe(NO_LOG);
});
