import { describe, expect, it } from 'vitest';
import { AppError, ERROR_CODES, isAppError, messageOf, toAppError, type ErrorFacts } from './index.ts';

describe('AppError', () => {
  it('takes from its code what every surface shows', () => {
    const error = new AppError('notFound', 'get Backup velero/b1: not found');
    expect(error).toMatchObject({ name: 'AppError', code: 'notFound', retry: 'never', details: undefined });
    expect(error.facts).toEqual({
      family: 'invalid',
      retry: 'never',
      httpStatus: 404,
      exitCode: 3,
      reason: 'NotFound',
    });
    expect('cause' in error).toBe(false);
  });

  it('keeps its cause, also an undefined one, its details and the server’s retry', () => {
    const cause = new Error('socket closed');
    const error = new AppError('throttled', 'slow down', { cause, retry: { afterMs: 3000 }, details: { seconds: 3 } });
    expect(error).toMatchObject({ cause, retry: { afterMs: 3000 }, details: { seconds: 3 } });
    expect('cause' in new AppError('bug', 'thrown nothing', { cause: undefined })).toBe(true);
  });
});

it('isAppError asks for any code or for some', () => {
  const error = new AppError('conflict', 'x');
  expect([isAppError(error), isAppError(error, 'gone', 'conflict'), isAppError(error, 'gone')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isAppError(new Error('x'))).toBe(false);
});

it('messageOf and toAppError take anything that was thrown', () => {
  expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
  const known = new AppError('gone', 'x');
  expect(toAppError(known)).toBe(known);
  expect(toAppError('boom')).toMatchObject({ code: 'bug', message: 'boom', cause: 'boom' });
});

describe('the table of codes', () => {
  const all: [string, ErrorFacts][] = Object.entries(ERROR_CODES);
  it('retries what is transient and nothing else', () => {
    for (const [code, facts] of all) {
      expect([code, facts.retry]).toEqual([code, facts.family === 'transient' ? 'backoff' : 'never']);
    }
  });
  it('has only the documented exit codes, HTTP errors and reasons that a condition accepts', () => {
    for (const [, facts] of all) {
      expect([1, 2, 3, 4, 5, 130]).toContain(facts.exitCode);
      expect(facts.httpStatus).toBeGreaterThanOrEqual(400);
      expect(facts.httpStatus).toBeLessThan(600);
      expect(facts.reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
    }
    expect(new Set(all.map(([, facts]) => facts.reason)).size).toBe(all.length);
  });
});
