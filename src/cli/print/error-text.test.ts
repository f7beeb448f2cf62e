import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { answerError } from '../../edge/kube/transport/answer-error.ts';
import { connectionError } from '../../edge/kube/transport/connection-error.ts';
import { errorText } from './error-text.ts';

const ATTEMPTED = {
  method: 'POST',
  path: '/apis/velero.io/v1/namespaces/velero/backups',
  server: 'https://10.0.0.1:6443',
  label: 'context "prod" of /home/me/.kube/config',
};

function answered(status: number, fields: object): AppError {
  const text = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, ...fields });
  return answerError(ATTEMPTED, { status, headers: {}, text }, 0);
}

describe('an answer of the API server, in words', () => {
  it.each([
    [
      'a missing right',
      answered(403, {
        reason: 'Forbidden',
        message:
          'backups.velero.io is forbidden: User "jane" cannot create resource "backups" in API group "velero.io" in the namespace "velero"',
      }),
      {
        message: 'jane is not allowed to create backups in namespace velero',
        hint: "Ask the cluster's administrator for this permission. Check it with: kubectl auth can-i create backups.velero.io -n velero",
      },
    ],
    [
      'a quota',
      answered(403, { reason: 'Forbidden', message: 'backups.velero.io "a" is forbidden: exceeded quota: few' }),
      {
        message: 'the cluster refused this: backups.velero.io "a" is forbidden: exceeded quota: few',
        hint: 'A rule of the cluster forbids it; ask its administrator',
      },
    ],
    [
      'credentials that ended',
      answered(401, { reason: 'Unauthorized', message: 'Unauthorized' }),
      {
        message: 'the cluster does not accept the credentials of context "prod" of /home/me/.kube/config',
        hint: 'They may have expired. Log in to the cluster again, or choose another context with --context NAME',
      },
    ],
    [
      'two writers',
      answered(409, {
        reason: 'Conflict',
        message: 'Operation cannot be fulfilled on schedules.velero.io "daily": the object has been modified',
        details: { name: 'daily', group: 'velero.io', kind: 'schedules' },
      }),
      { message: 'schedules "daily" was changed by someone else at the same time', hint: 'Try again' },
    ],
    [
      'wrong fields',
      answered(422, {
        reason: 'Invalid',
        message: 'Backup.velero.io "a" is invalid: [spec.ttl: …, spec.x: …]',
        details: {
          name: 'a',
          kind: 'Backup',
          causes: [
            { field: 'spec.ttl', message: 'Invalid value: "1 day"' },
            { field: 'spec.x', message: 'Required value' },
          ],
        },
      }),
      {
        message: 'the cluster refused Backup "a":\nspec.ttl: Invalid value: "1 day"\nspec.x: Required value',
        hint: 'Correct this and run the command again',
      },
    ],
    [
      'a failure of its own',
      answered(500, { message: 'etcdserver: leader changed' }),
      {
        message: 'the API server of the cluster failed: etcdserver: leader changed',
        hint: 'Try again. If it keeps failing, look at the log of the API server',
      },
    ],
  ])('%s', (_what, error, text) => {
    expect(errorText(error)).toEqual(text);
  });

  it('says nothing of the request when there was no answer', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:6443'), { code: 'ECONNREFUSED' });
    expect(errorText(connectionError(ATTEMPTED, refused))).toEqual({
      message: 'cannot reach https://10.0.0.1:6443 (context "prod" of /home/me/.kube/config): connection refused',
    });
  });

  it('leaves other errors and hints as they are', () => {
    const error = new AppError('notFound', 'there is no backup "a"', { details: { hint: 'Look again' } });
    expect(errorText(error)).toEqual({ message: 'there is no backup "a"', hint: 'Look again' });
  });
});
