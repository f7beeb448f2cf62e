import { AppError, cleanText, parseJson, type ErrorCode, type JsonObject, type Retry } from '../../../base/index.ts';
import type { Attempted } from './attempted.ts';
import { retryAfterMs } from './retry-after.ts';
import type { KubeAnswer } from './transport.ts';

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
  const message = `${attempted.method} ${attempted.path}${as}: ${attempted.server}${where} answered ${String(answer.status)}: ${said}`;
  const options = {
    ...retry,
    details: {
      httpStatus: answer.status,
      ...(status === undefined ? {} : { status }),
      // A 503 with a time to retry was not started. Any other server failure proves nothing: a timeout of the server
      // behind it also gives such a time.
      ...(isFailure && !hasNotBegun && code !== 'tooLarge' ? { maybeDone: true } : {}),
    },
  };
  const make = (): AppError => new AppError(code, message, options);
  return code === 'alreadyExists' ? withoutStack(make) : make();
}

/**
 * A restore over existing objects gets one "already exists" for each of them, which says all there is to say. Collecting
 * their stacks took a twentieth of its processor time.
 */
function withoutStack(make: () => AppError): AppError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
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

function isHtml(answer: KubeAnswer): boolean {
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
