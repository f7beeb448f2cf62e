import { describe, expect, it } from 'vitest';
import { answerError, statusError } from './answer-error.ts';

const attempted = { method: 'GET', path: '/version', server: 'https://10.0.0.1:6443', label: 'context "a" of /k' };

describe('statusError', () => {
  it.each([
    'etcdserver: request is too large',
    'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2621780 vs. 2097152)',
  ])('knows that an object was too large and is not there: %s', (message) => {
    const status = { kind: 'Status', code: 500, message };
    const error = statusError(attempted, status, 0);
    expect(error).toMatchObject({ code: 'tooLarge', retry: 'never', details: { httpStatus: 500 } });
    expect(error.details).not.toHaveProperty('maybeDone');
  });

  it('cleans what a webhook said, and bounds it', () => {
    const message = `admission webhook denied: \u001b[2J${'x'.repeat(1024 ** 2)}`;
    const error = statusError(attempted, { kind: 'Status', code: 403, message }, 0);
    expect(error.message).toContain('admission webhook denied: \\x1b[2Jxxx');
    expect(error.message.length).toBeLessThan(5000);
  });

  it('translates a Status that came inside a stream', () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    expect(statusError(attempted, status, 0)).toMatchObject({
      code: 'gone',
      message: 'GET /version: https://10.0.0.1:6443 answered 410: too old resource version',
      details: { status },
    });
  });

  it('takes a Status without a code for a failure of the server', () => {
    expect(statusError(attempted, { kind: 'Status' }, 0).code).toBe('serverError');
  });
});

describe('answerError', () => {
  const answered = (status: number, reason: string): Error =>
    answerError(attempted, { status, headers: {}, text: JSON.stringify({ kind: 'Status', reason }) }, 0);

  it('collects no stack for what exists already, and for everything else', () => {
    expect(answered(409, 'AlreadyExists').stack).not.toContain('\n    at ');
    expect(answered(409, 'Conflict').stack).toContain('answer-error.test.ts');
    expect(new Error('another').stack).toContain('answer-error.test.ts');
  });
});
