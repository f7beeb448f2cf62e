import { describe, expect, it } from 'vitest';
import { connectionError } from './connection-error.ts';

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
