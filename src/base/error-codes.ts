/**
 * One table for every error: who can act on it, whether a retry helps, and how each surface shows it. `family` is
 * DESIGN §6: invalid (the user can fix it), transient (it may work later), bug (ours).
 */
export type Retry = 'never' | 'backoff' | { afterMs: number };

export interface ErrorFacts {
  family: 'invalid' | 'transient' | 'bug';
  retry: 'never' | 'backoff';
  httpStatus: number;
  exitCode: number;
  /** The reason of the Kubernetes condition that reports it. */
  reason: string;
}

const invalid = (httpStatus: number, exitCode: number, reason: string): ErrorFacts => ({
  family: 'invalid',
  retry: 'never',
  httpStatus,
  exitCode,
  reason,
});
const transient = (httpStatus: number, exitCode: number, reason: string): ErrorFacts => ({
  family: 'transient',
  retry: 'backoff',
  httpStatus,
  exitCode,
  reason,
});

export const ERROR_CODES = {
  usage: invalid(400, 2, 'InvalidUsage'),
  invalid: invalid(422, 1, 'Invalid'),
  invalidConfig: invalid(400, 2, 'InvalidConfig'),
  notFound: invalid(404, 3, 'NotFound'),
  alreadyExists: invalid(409, 1, 'AlreadyExists'),
  unauthenticated: invalid(401, 4, 'Unauthenticated'),
  forbidden: invalid(403, 4, 'Forbidden'),
  untrusted: invalid(502, 5, 'UntrustedServer'),
  unsupported: invalid(415, 1, 'Unsupported'),
  tooLarge: invalid(413, 1, 'TooLarge'),
  gone: transient(410, 1, 'Expired'),
  conflict: transient(409, 1, 'Conflict'),
  unreachable: transient(503, 5, 'Unreachable'),
  timeout: transient(504, 5, 'TimedOut'),
  throttled: transient(429, 5, 'Throttled'),
  serverError: transient(502, 1, 'ServerError'),
  badAnswer: transient(502, 1, 'BadAnswer'),
  canceled: invalid(499, 130, 'Canceled'),
  bug: { family: 'bug', retry: 'never', httpStatus: 500, exitCode: 1, reason: 'InternalError' },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;
