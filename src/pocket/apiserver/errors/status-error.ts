import { AppError, isAppError, messageOf, type ErrorCode, type JsonObject } from '../../../base/index.ts';
import { formatFieldErrors, type FieldError } from '../../schema/index.ts';

/** The body of every error answer. */
export interface Status extends JsonObject {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: JsonObject;
  status: 'Failure' | 'Success';
  message?: string;
  reason?: string;
  details?: JsonObject;
  code?: number;
}

interface Failure {
  code: number;
  reason: string;
  message: string;
  details?: JsonObject;
}

/** What a resource is called in messages: `deployments.apps`, or `configmaps` in the core group. */
export interface Named {
  group: string;
  plural: string;
}

function qualifiedName(type: Named): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

function detailsOf(type: Named, name: string): JsonObject {
  return { ...(name === '' ? {} : { name }), ...(type.group === '' ? {} : { group: type.group }), kind: type.plural };
}

/** An AppError that knows its Status; its own code is what callers inside the process look at. */
export function statusError(code: ErrorCode, failure: Failure): AppError {
  const { reason, message, details } = failure;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: failure.code,
  };
  return new AppError(code, message, { details: { status } });
}

export function notFound(type: Named, name: string): AppError {
  const message = `${qualifiedName(type)} "${name}" not found`;
  return statusError('notFound', { code: 404, reason: 'NotFound', message, details: detailsOf(type, name) });
}

export function unknownResource(): AppError {
  const message = 'the server could not find the requested resource';
  return statusError('notFound', { code: 404, reason: 'NotFound', message, details: {} });
}

export function alreadyExists(type: Named, name: string): AppError {
  const message = `${qualifiedName(type)} "${name}" already exists`;
  return statusError('alreadyExists', { code: 409, reason: 'AlreadyExists', message, details: detailsOf(type, name) });
}

export function conflict(type: Named, name: string, why: string): AppError {
  const message = `Operation cannot be fulfilled on ${qualifiedName(type)} "${name}": ${why}`;
  return statusError('conflict', { code: 409, reason: 'Conflict', message, details: detailsOf(type, name) });
}

export const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): AppError {
  return statusError('usage', { code: 400, reason: 'BadRequest', message });
}

/** `subject` is a kind such as `Deployment.apps`; the real server leaves the group of the core kinds away. */
export function invalid(
  subject: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): AppError {
  const { group, kind } = subject;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return statusError('invalid', {
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${formatFieldErrors(errors)}`,
    details: { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind, causes },
  });
}

export function invalidOption(options: string, error: FieldError): AppError {
  return invalid({ group: 'meta.k8s.io', kind: options }, '', [error]);
}

export function forbidden(type: Named, name: string, why: string, causes: JsonObject[] = []): AppError {
  const details = { ...detailsOf(type, name), ...(causes.length === 0 ? {} : { causes }) };
  const message = `${qualifiedName(type)} "${name}" is forbidden: ${why}`;
  return statusError('forbidden', { code: 403, reason: 'Forbidden', message, details });
}

/** What a kubelet says to clients itself, as plain text; the API server only passes it on. */
export function kubeletError(code: number, text: string): AppError {
  return new AppError(code === 400 ? 'usage' : 'serverError', text, { details: { plain: { code, text } } });
}

/** The code and the words of an error that is plain text; undefined for all others. */
export function plainOf(error: unknown): { code: number; text: string } | undefined {
  return isAppError(error) ? (error.details?.['plain'] as { code: number; text: string } | undefined) : undefined;
}

export function methodNotAllowed(): AppError {
  const message = 'the server does not allow this method on the requested resource';
  return statusError('unsupported', { code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

export function unsupportedMedia(accepted: readonly string[]): AppError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return statusError('unsupported', { code: 415, reason: 'UnsupportedMediaType', message });
}

export function unknownMedia(): AppError {
  const message = '415: Unsupported Media Type';
  return statusError('unsupported', { code: 415, reason: 'UnsupportedMediaType', message, details: {} });
}

export function notAcceptable(served: readonly string[]): AppError {
  const message = `only the following media types are accepted: ${served.join(', ')}`;
  return statusError('unsupported', { code: 406, reason: 'NotAcceptable', message });
}

export function expired(message: string): AppError {
  return statusError('gone', { code: 410, reason: 'Expired', message });
}

export function tooLargeVersion(asked: number, current: number): AppError {
  return statusError('timeout', {
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

export function entityTooLarge(limit: number): AppError {
  const message = `Request entity too large: limit is ${limit}`;
  return statusError('tooLarge', { code: 413, reason: 'RequestEntityTooLarge', message });
}

export function unauthorized(): AppError {
  return statusError('unauthenticated', { code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function internalError(message: string): AppError {
  return statusError('bug', { code: 500, reason: '', message });
}

/** The Status of anything that was thrown. A failure nobody foresaw is a 500 that says what happened. */
export function statusOf(error: unknown): Status {
  if (isAppError(error)) {
    const status = error.details?.['status'];
    if (status !== undefined) return status as Status;
    // A store that cannot write is this server's own failure, not that of one behind it.
    if (error.code === 'serverError') return failureStatus(error.message, 'InternalError', 500);
    return failureStatus(error.message, error.facts.reason, error.facts.httpStatus);
  }
  return failureStatus(`Internal error occurred: ${messageOf(error)}`, 'InternalError', 500);
}

function failureStatus(message: string, reason: string, code: number): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}
