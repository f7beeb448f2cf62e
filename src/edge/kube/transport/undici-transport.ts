import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError, isAppError } from '../../../base/index.ts';
import type { Connection } from '../config/connection.ts';
import type { Credential } from '../config/credentials.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { InFlight, type Turn } from './in-flight.ts';
import { answerError } from './answer-error.ts';
import { describeAttempt, type Attempted } from './attempted.ts';
import { connectionError } from './connection-error.ts';
import { withDetails } from './with-details.ts';
import { withRetry, type RetryDeps } from './retry.ts';
import { tlsOptions } from './tls.ts';
import { decoded, readBody } from './body.ts';
import { exchange, type WholeAnswer } from './exchange.ts';
import { CONNECTIONS, openPools, type Pools } from './pools.ts';
import { encodeQuery, type KubeBytes, type KubeRequest, type KubeStream, type Transport } from './transport.ts';

const DEFAULT_DEADLINE_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
// An error answer is a Status object, or a page of which someone reads the first line.
const MAX_ERROR_BYTES = 1024 * 1024;

export interface TransportDeps extends RetryDeps {
  /** Such as `headway/1.0.0`. */
  userAgent: string;
}

/** HTTP/1.1 over keep-alive connections. Broken certificates in the connection throw `invalidConfig` at once. */
export function createTransport(deps: TransportDeps, connection: Connection): Transport {
  const url = new URL(connection.server);
  const { origin } = url;
  const prefix = url.pathname.replace(/\/+$/, '');
  const isHere = isLoopback(url.hostname);
  const sendsCredentials = url.protocol === 'https:' || isHere;
  const compresses = connection.compress ?? !isHere;
  const shown = shownOf(connection);
  let pools = openPools(url, tlsOptions(connection.tls, shown.label), connection.proxy);
  const open = new Set([pools]);
  let isClosed = false;
  const inFlight = new InFlight(CONNECTIONS);

  /** A new certificate from a plugin needs new connections; requests in flight finish on the old ones. */
  const poolsFor = (credential: Credential): Pools => {
    if (isClosed || credential.cert === undefined || credential.cert === pools.tls.cert) return pools;
    const { cert, key } = credential;
    const tls = { ...connection.tls, cert, ...(key === undefined ? {} : { key }) };
    const old = pools;
    pools = openPools(url, tlsOptions(tls, shown.label), connection.proxy);
    open.add(pools);
    // It fails if everything is closed meanwhile, with these.
    void old.retire().then(
      () => open.delete(old),
      () => undefined,
    );
    return pools;
  };

  const isWithheld = (credential: Credential): boolean =>
    !sendsCredentials && Object.keys({ ...connection.headers, ...credential.headers }).length > 0;

  const headersOf = (credential: Credential): Record<string, string | string[]> => ({
    'user-agent': deps.userAgent,
    // A token sent in clear text over a network is compromised.
    ...(sendsCredentials ? { ...connection.headers, ...credential.headers } : {}),
  });

  const send = async <T extends AnswerHead>(request: KubeRequest, call: Call, way: Way<T>): Promise<T> => {
    for (let refused = false; ; refused = true) {
      call.lacks = 'credential for';
      const held = connection.credentials.current(call.deadline);
      const credential = held instanceof Promise ? await held : held;
      const pools = poolsFor(credential);
      call.lacks = 'complete answer from';
      // With an aborted signal undici would still open a connection first.
      if (call.deadline.isOver) throw call.deadline.signal.reason;
      const answer = await way.exchange(pools, {
        origin,
        path: prefix + request.path + encodeQuery(request.query),
        method: request.method,
        // A compressed stream would hold back events until a block is full.
        headers: { ...headersOf(credential), ...requestHeaders(request, compresses && call.kind === 'requests') },
        body: request.body ?? null,
      });
      if (isGood(answer.statusCode)) return answer;
      const text = await way.refusal(answer);
      // Refused means not carried out, so any request may be repeated: once, with a new credential.
      if (answer.statusCode === 401 && !refused && connection.credentials.forget(credential)) continue;
      const { statusCode: status, headers } = answer;
      const error = answerError(call.attempted, { status, headers, text }, deps.clock.now());
      throw isWithheld(credential) ? explainWithheld(error) : error;
    }
  };

  const run = async <T>(request: KubeRequest, kind: Call['kind'], attempt: (call: Call) => Promise<T>): Promise<T> => {
    const limitMs = request.deadlineMs ?? DEFAULT_DEADLINE_MS;
    const deadline = startDeadline(limitMs, request.signal);
    const attempted = { ...request, ...shown };
    const call: Call = { kind, deadline, attempted, lacks: 'turn at' };
    const repeatable = request.repeatable ?? (request.method !== 'POST' && request.method !== 'PATCH');
    try {
      return await withRetry(deps, { deadline, repeatable }, async () => {
        try {
          call.lacks = 'turn at';
          // A stream may be open for hours.
          using turn = kind === 'streams' ? undefined : await inFlight.enter(deadline, limitMs);
          return await taken(turn, () => attempt(call));
        } catch (error) {
          throw translate(error, call, { request, limitMs });
        }
      });
    } finally {
      deadline.clear();
    }
  };

  const requestBytes = (request: KubeRequest): Promise<KubeBytes> =>
    run(request, 'requests', async (call) => {
      const maxBytes = request.maxBytes ?? MAX_ANSWER_BYTES;
      const answer = await send(request, call, inOnePiece(call.deadline, maxBytes));
      const { statusCode: status, headers } = answer;
      return { status, headers, body: await decoded(answer.body, encodingOf(answer), maxBytes) };
    });

  return {
    ...shown,
    request: async (request) => {
      const { status, headers, body } = await requestBytes(request);
      using memory = body;
      return { status, headers, text: memory.bytes.toString('utf8') };
    },
    requestBytes,
    stream: (request) =>
      run(request, 'streams', async (call) =>
        toStream(await send(request, call, asStream(call.deadline)), {
          signal: request.signal,
          attempted: call.attempted,
        }),
      ),
    websocketTarget: async (path, query, signal) => {
      // Node's agent would silently bypass the proxy and connect directly.
      if (connection.proxy?.startsWith('socks') === true) {
        throw new AppError('unsupported', `${path}: websockets to ${shown.server} cannot go through a SOCKS proxy`);
      }
      const credential = await connection.credentials.current({
        signal: signal ?? AbortSignal.timeout(DEFAULT_DEADLINE_MS),
      });
      const { tls, websocketAgent } = poolsFor(credential);
      return {
        url: `${url.origin.replace(/^http/, 'ws')}${prefix}${path}${encodeQuery(query)}`,
        headers: headersOf(credential),
        tls,
        forgetCredential: () => connection.credentials.forget(credential),
        ...(websocketAgent === undefined ? {} : { agent: websocketAgent }),
      };
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...open].map((each) => each.close()));
    },
  };
}

interface Call {
  kind: 'requests' | 'streams';
  deadline: Deadline;
  attempted: Attempted;
  /** What it waits for. */
  lacks: 'turn at' | 'credential for' | 'complete answer from';
}

interface AnswerHead {
  statusCode: number;
  headers: Dispatcher.ResponseData['headers'];
}

/** How an answer is taken. */
interface Way<T extends AnswerHead> {
  exchange(pools: Pools, options: Dispatcher.DispatchOptions): Promise<T>;
  /** The text of an answer that is not good. */
  refusal(answer: T): Promise<string>;
}

/** Tells the turn what became of it: any answer says that the server takes more, and only a 429 that it does not. */
async function taken<T>(turn: Turn | undefined, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    turn?.answered();
    return result;
  } catch (error) {
    if (isAppError(error, 'throttled')) turn?.refused();
    else if (isRefusal(error)) turn?.answered();
    throw error;
  }
}

/** Such as NotFound or AlreadyExists: the server has dealt with it. */
function isRefusal(error: unknown): boolean {
  const status = isAppError(error) ? error.details?.['httpStatus'] : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

function requestHeaders(request: KubeRequest, compresses: boolean): Record<string, string> {
  return {
    accept: request.accept ?? 'application/json',
    'accept-encoding': compresses ? 'gzip' : 'identity',
    ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
    ...request.headers,
  };
}

function inOnePiece(deadline: Deadline, maxBytes: number): Way<WholeAnswer> {
  const limits = { deadline, maxBytes: (status: number) => (isGood(status) ? maxBytes : MAX_ERROR_BYTES) };
  return {
    exchange: ({ requests }, options) => exchange(requests, options, limits),
    refusal: async (answer) => {
      using body = await decoded(answer.body, encodingOf(answer), MAX_ERROR_BYTES);
      return body.bytes.toString('utf8');
    },
  };
}

function asStream({ signal }: Deadline): Way<Dispatcher.ResponseData> {
  return {
    exchange: ({ streams }, options) => streams.request({ ...options, signal }),
    refusal: (answer) => readBody(answer.body, encodingOf(answer), MAX_ERROR_BYTES),
  };
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

function encodingOf(answer: AnswerHead): string | undefined {
  const encoding = answer.headers['content-encoding'];
  return Array.isArray(encoding) ? encoding.join(',') : encoding;
}

function shownOf({ server, label, alias }: Connection): Pick<Attempted, 'server' | 'label' | 'isAlias'> {
  return alias === undefined ? { server, label } : { server: alias, label: 'the token given', isAlias: true };
}

function translate(error: unknown, call: Call, during: { request: KubeRequest; limitMs: number }): unknown {
  const { attempted, deadline } = call;
  if (deadline.expired) {
    return new AppError(
      'timeout',
      `${attempted.method} ${attempted.path}: no ${call.lacks} ${attempted.server} (${attempted.label}) ` +
        `within ${String(during.limitMs)} ms`,
      {
        cause: error,
        details: { maybeDone: call.lacks === 'complete answer from', isQueued: call.lacks === 'turn at' },
      },
    );
  }
  if (deadline.isOver) return deadline.signal.reason;
  if (!isAppError(error)) return connectionError(attempted, error);
  // Errors of the body say what is wrong with it; only this place knows whose answer it was.
  if (error.code !== 'tooLarge' && error.code !== 'badAnswer') return error;
  return error.details === undefined
    ? withDetails(new AppError(error.code, `${describeAttempt(attempted)}: ${error.message}`, { cause: error }), {
        maybeDone: true,
      })
    : error;
}

function toStream(
  answer: Dispatcher.ResponseData,
  call: { signal: AbortSignal | undefined; attempted: Attempted },
): KubeStream {
  const { signal, attempted } = call;
  const body: Readable = answer.body;
  let closed = false;
  const drop = (): void => {
    body.destroy();
  };
  // From here on only the caller's signal counts; the deadline was for the headers.
  if (signal?.aborted === true) drop();
  signal?.addEventListener('abort', drop, { once: true });
  body.once('close', () => signal?.removeEventListener('abort', drop));
  // Without a listener, an error while nobody reads would end the process; the reader gets it as well.
  body.on('error', () => undefined);
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) yield chunk as Uint8Array;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (!closed) throw connectionError(attempted, error);
    }
    signal?.throwIfAborted();
  }
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: read(),
    close: () => {
      closed = true;
      drop();
    },
  };
}

function explainWithheld(error: AppError): AppError {
  if (error.code !== 'unauthenticated' && error.code !== 'forbidden') return error;
  const why = 'no credentials were sent, because a server reached by http:// would show them to the network';
  const { code, message, cause, retry, details = {} } = error;
  return new AppError(code, `${message}; ${why}`, { cause, retry, details });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
