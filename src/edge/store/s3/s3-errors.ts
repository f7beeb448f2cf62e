import { AppError, cleanText, ERROR_CODES, type ErrorCode, messageOf, type Retry } from '../../../base/index.ts';

/** By the error name from the server; these take precedence over the HTTP status. */
const CODE_OF_NAME = new Map<string, ErrorCode>(
  Object.entries({
    NoSuchKey: 'notFound',
    NoSuchBucket: 'invalidConfig',
    InvalidBucketName: 'invalidConfig',
    PermanentRedirect: 'invalidConfig',
    AuthorizationHeaderMalformed: 'invalidConfig',
    NoSuchUpload: 'gone',
    InvalidPart: 'gone',
    InvalidPartOrder: 'gone',
    PreconditionFailed: 'conflict',
    OperationAborted: 'conflict',
    InvalidAccessKeyId: 'unauthenticated',
    SignatureDoesNotMatch: 'unauthenticated',
    ExpiredToken: 'unauthenticated',
    InvalidToken: 'unauthenticated',
    TokenRefreshRequired: 'unauthenticated',
    // versitygw, for an unknown access key.
    XAdminUserNotFound: 'unauthenticated',
    CredentialsProviderError: 'unauthenticated',
    TokenProviderError: 'unauthenticated',
    AccessDenied: 'forbidden',
    AllAccessDisabled: 'forbidden',
    // The SDK learns the server's time from this answer, so that the next attempt is right.
    RequestTimeTooSkewed: 'serverError',
    RequestTimeout: 'timeout',
    SlowDown: 'throttled',
    ServiceUnavailable: 'throttled',
    ThrottlingException: 'throttled',
    EntityTooLarge: 'tooLarge',
    QuotaExceeded: 'tooLarge',
    XMinioStorageFull: 'tooLarge',
    XMinioAdminBucketQuotaExceeded: 'tooLarge',
  }),
);

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  301: 'invalidConfig',
  307: 'serverError',
  401: 'unauthenticated',
  403: 'forbidden',
  // The store itself is missing, not an object, as when a gateway has nothing behind it.
  404: 'badAnswer',
  405: 'unsupported',
  408: 'timeout',
  409: 'conflict',
  412: 'conflict',
  413: 'tooLarge',
  429: 'throttled',
  501: 'unsupported',
  504: 'timeout',
  507: 'tooLarge',
};

/** A retry changes nothing for these, though their code usually means that it does. */
const FINAL = new Set(['PreconditionFailed', 'NoSuchUpload', 'InvalidPart', 'InvalidPartOrder']);

/** Anything the SDK threw. An aborted call throws its caller's reason before it gets here. */
export function s3Error(what: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const name = error instanceof Error ? asText(error.name) : '';
  const status = statusOf(error);
  const known = CODE_OF_NAME.get(name) ?? (status === undefined ? undefined : codeOfStatus(status));
  if (known !== undefined) {
    const shortName = cleanText(name, 100);
    const said = status === undefined ? shortName : `${shortName} (HTTP ${status})`;
    const text = saidBy(error);
    const retry = FINAL.has(name) || status === 412 ? 'never' : retryAfter(known, error);
    return new AppError(known, `${what}: ${said}${text === shortName ? '' : `: ${text}`}`, {
      cause: error,
      ...(retry === undefined ? {} : { retry }),
    });
  }
  return connectionError(what, error);
}

/** The SDK takes name and message from the answer, whatever type they have there. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : 'no text';
}

/** Without what the SDK adds for programmers. */
function saidBy(error: unknown): string {
  const message = asText(messageOf(error));
  const added = message.indexOf('\n  Deserialization error: ');
  return cleanText(added < 0 ? message : message.slice(0, added));
}

function codeOfStatus(status: number): ErrorCode | undefined {
  const known = CODE_OF_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 500) return 'serverError';
  // A success status with an error means that the answer could not be read.
  return status >= 400 ? 'invalid' : 'badAnswer';
}

function connectionError(what: string, error: unknown): AppError {
  const cause = rootCause(error);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const text = saidBy(cause);
  if (/CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/.test(code)) {
    return new AppError('untrusted', `${what}: the server is not trusted: ${text}`, { cause: error });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return new AppError('unreachable', `${what}: TLS failed, does the server speak https? ${text}`, {
      cause: error,
      retry: 'never',
    });
  }
  // The SDK also calls a broken connection a TimeoutError.
  if (code === 'ETIMEDOUT' || (code === '' && error instanceof Error && error.name === 'TimeoutError')) {
    return new AppError('timeout', `${what}: ${text}`, { cause: error });
  }
  // The server's answer could not be read: bad XML, a wrong checksum.
  const isConnection = code !== '' || /socket hang up|aborted|terminated/i.test(text);
  return new AppError(isConnection ? 'unreachable' : 'badAnswer', `${what}: ${text}`, { cause: error });
}

function rootCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  return current;
}

interface SdkFacts {
  $metadata?: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
}

function statusOf(error: unknown): number | undefined {
  return (error as SdkFacts | undefined)?.$metadata?.httpStatusCode;
}

function retryAfter(code: ErrorCode, error: unknown): Retry | undefined {
  if (ERROR_CODES[code].retry === 'never') return undefined;
  const seconds = Number((error as SdkFacts | undefined)?.$response?.headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds >= 0 ? { afterMs: seconds * 1000 } : undefined;
}
