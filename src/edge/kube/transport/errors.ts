import {
  AppError,
  cleanText,
  messageOf,
  parseJson,
  type ErrorCode,
  type JsonObject,
  type Retry,
} from '../../../base/index.ts';
import { retryAfterMs } from './retry-after.ts';
import type { KubeAnswer } from './transport.ts';

/** What was being done, for messages: `GET /api/v1/pods` at a server reached as `context "prod" of ~/.kube/config`. */
export interface Attempted {
  method: string;
  path: string;
  server: string;
  label: string;
  /**
   * Server and label are an alias, because the reader must not see the real ones; the system's own error text would
   * reveal them.
   */
  isAlias?: boolean;
}

export function attemptAt(
  { server, label, isAlias = false }: Pick<Attempted, 'server' | 'label' | 'isAlias'>,
  method: string,
  path: string,
): Attempted {
  return { method, path, server, label, isAlias };
}

/** `GET /version at https://10.0.0.1:6443 (context "prod" of /home/me/.kube/config)`. */
export function describeAttempt({ method, path, server, label }: Attempted): string {
  return `${method} ${path} at ${server} (${label})`;
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  405: 'unsupported',
  406: 'unsupported',
  409: 'conflict',
  410: 'gone',
  413: 'tooLarge',
  415: 'unsupported',
  422: 'invalid',
  429: 'throttled',
  504: 'timeout',
};

// etcd accepts 1.5 MB by default; the API server reports larger requests as a failure of its own.
const TOO_LARGE_FOR_ETCD = /etcdserver: request is too large|trying to send message larger than max/;

function codeOf(httpStatus: number, status: JsonObject | undefined): ErrorCode {
  const { reason, message } = status ?? {};
  if (httpStatus === 409 && reason === 'AlreadyExists') return 'alreadyExists';
  if (httpStatus === 500 && typeof message === 'string' && TOO_LARGE_FOR_ETCD.test(message)) return 'tooLarge';
  const known = CODE_OF_STATUS[httpStatus];
  if (known !== undefined) return known;
  if (httpStatus >= 500) return 'serverError';
  return httpStatus >= 400 ? 'invalid' : 'badAnswer';
}

/** A refusal lists every wrong field, and webhooks can say anything. */
const MAX_SAID = 4096;

/** The error for an answer that is not 2xx. `details.status` is the server's Status object, if it sent one. */
export function answerError(attempted: Attempted, answer: KubeAnswer, now: number): AppError {
  const status = parseStatus(answer.text);
  const code = codeOf(answer.status, status);
  const said = cleanText(typeof status?.['message'] === 'string' ? status['message'] : excerpt(answer), MAX_SAID);
  const afterMs = retryAfterMs(answer.headers['retry-after'], status, now);
  const as = code === 'unauthenticated' ? ` as ${attempted.label}` : '';
  // An answer without a Status does not come from an API server, and the user will ask which file led there.
  const where = status === undefined && as === '' ? ` (${attempted.label})` : '';
  const isFailure = answer.status >= 500;
  const hasNotBegun = answer.status === 503 && afterMs !== undefined;
  const retry: { retry?: Retry } = afterMs === undefined ? {} : { retry: { afterMs } };
  return withoutStack(
    code,
    `${attempted.method} ${attempted.path}${as}: ${attempted.server}${where} answered ${String(answer.status)}: ${said}`,
    {
      ...retry,
      details: {
        httpStatus: answer.status,
        ...(status === undefined ? {} : { status }),
        // A 503 with a time to retry was not started. Any other server failure proves nothing: a timeout of the server
        // behind it also gives such a time.
        ...(isFailure && !hasNotBegun && code !== 'tooLarge' ? { maybeDone: true } : {}),
      },
    },
  );
}

/**
 * An answer is nothing that went wrong here, so where it was read says nothing, and a restore over existing objects gets
 * one "already exists" for each: collecting their stacks took a twentieth of its processor time.
 */
function withoutStack(...args: ConstructorParameters<typeof AppError>): AppError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new AppError(...args);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The error for a Status object inside a stream, such as an ERROR event of a watch. */
export function statusError(attempted: Attempted, status: JsonObject, now: number): AppError {
  const httpStatus = typeof status['code'] === 'number' ? status['code'] : 500;
  return answerError(attempted, { status: httpStatus, headers: {}, text: JSON.stringify(status) }, now);
}

function parseStatus(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text) as JsonObject;
    return value['kind'] === 'Status' ? value : undefined;
  } catch {
    // An error page that is not JSON is quoted by excerpt(); the HTTP status decides the code.
    return undefined;
  }
}

export function isHtml(answer: KubeAnswer): boolean {
  return String(answer.headers['content-type'] ?? '').includes('html') || /^\s*<(?:!doctype|html)/i.test(answer.text);
}

/** The first words of an answer that is not a Status, without markup, short enough for one line. */
export function excerpt(answer: KubeAnswer): string {
  if (answer.status >= 300 && answer.status < 400) return `a redirect to ${String(answer.headers['location'])}`;
  const start = answer.text.slice(0, 4096);
  const words = (isHtml(answer) ? start.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : start)
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return 'an empty body';
  const short = words.length > 200 ? `${words.slice(0, 200)}…` : words;
  return isHtml(answer) ? `an HTML page: ${short}` : short;
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not among the trusted authorities',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a trusted authority',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  INVALID_CA: 'its certificate authority is invalid',
  INVALID_PURPOSE: 'its certificate is not meant for servers',
  HOSTNAME_MISMATCH: 'its certificate is for another host',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

// Nothing was sent if no connection was established.
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The error for a connection that failed or broke; `details.maybeDone` is false only when nothing was sent. */
export function connectionError(attempted: Attempted, error: unknown): AppError {
  const cause = rootCause(error);
  const code = codeIn(cause);
  const at = `${attempted.method} ${attempted.path}: cannot reach ${attempted.server} (${attempted.label})`;
  const said = attempted.isAlias === true ? 'the connection failed' : messageOf(cause);
  const untrusted = UNTRUSTED[code];
  if (untrusted !== undefined) {
    const detail = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? `: ${said}` : '';
    return new AppError('untrusted', `${at}: the server is not trusted: ${untrusted}${detail}`, { cause: error });
  }
  if (
    /alert (certificate|bad certificate|unknown ca|certificate required|certificate expired)/i.test(messageOf(cause))
  ) {
    return new AppError('unauthenticated', `${at}: the server refused the client certificate: ${said}`, {
      cause: error,
    });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return new AppError('unreachable', `${at}: TLS failed, does the server speak https? ${said}`, {
      cause: error,
      retry: 'never',
      details: { maybeDone: false },
    });
  }
  if (NOT_SENT.has(code) || syscallIn(cause) === 'connect') {
    return new AppError('unreachable', `${at}: ${said}`, { cause: error, details: { maybeDone: false } });
  }
  return new AppError(
    'unreachable',
    `${attempted.method} ${attempted.path}: the connection to ${attempted.server} (${attempted.label}) broke before ` +
      `the answer was complete: ${said}`,
    { cause: error, details: { maybeDone: true } },
  );
}

// undici wraps proxy errors, and Node throws an AggregateError when every address of a host failed.
function rootCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  return current;
}

function codeIn(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function syscallIn(error: unknown): string {
  return error instanceof Error && 'syscall' in error ? String(error.syscall) : '';
}

/** The same error with more details; AppErrors are immutable. */
export function withDetails(error: AppError, details: Readonly<Record<string, unknown>>): AppError {
  return new AppError(error.code, error.message, {
    cause: error.cause,
    retry: error.retry,
    details: { ...error.details, ...details },
  });
}
