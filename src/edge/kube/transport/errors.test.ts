import { describe, expect, it } from 'vitest';
import { connectionError, statusError } from './errors.ts';

const attempted = { method: 'GET', path: '/version', server: 'https://10.0.0.1:6443', label: 'context "a" of /k' };

function failed(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields);
}

describe('connectionError', () => {
  it('knows a refused client certificate by the alert', () => {
    const alert = failed('error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca', {
      code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    });
    expect(connectionError(attempted, alert)).toMatchObject({ code: 'unauthenticated', cause: alert });
  });

  it('looks for the cause inside wrapped and aggregated errors', () => {
    const refused = failed('connect ECONNREFUSED ::1:6443', { code: 'ECONNREFUSED', syscall: 'connect' });
    const wrapped = new Error('proxy', { cause: new AggregateError([refused], 'all addresses failed') });
    expect(connectionError(attempted, wrapped)).toMatchObject({
      code: 'unreachable',
      message: 'GET /version: cannot reach https://10.0.0.1:6443 (context "a" of /k): connect ECONNREFUSED ::1:6443',
      details: { maybeDone: false },
    });
  });

  it('takes anything else for a request that may have been carried out', () => {
    expect(
      connectionError(attempted, failed('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' })),
    ).toMatchObject({
      code: 'unreachable',
      details: { maybeDone: true },
    });
  });
});

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
