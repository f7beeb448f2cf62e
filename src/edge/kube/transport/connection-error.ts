import { AppError, messageOf } from '../../../base/index.ts';
import type { Attempted } from './attempted.ts';

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
