import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, messageOf, toAppError, type Json } from '../../base/index.ts';
import { nobody, type Caller } from '../auth/callers.ts';
import type { Context } from '../context.ts';
import type { Call, Route } from '../routes/route.ts';
import { checkHost, checkOrigin } from './check-host.ts';
import { errorReply } from './error-answer.ts';
import { pageFile } from './page-files.ts';
import type { RateLimit } from './rate-limit.ts';
import { readJsonBody } from './read-body.ts';
import { sendReply, type Reply, type SendOptions } from './reply.ts';
import { Router, type Match } from './router.ts';
import { SECURITY_HEADERS, TLS_HEADERS } from './security-headers.ts';

export interface AnswererOptions {
  context: Context;
  routes: readonly Route[];
  rate: RateLimit;
  hosts: readonly string[];
  pageDir: string | undefined;
  isTls: boolean;
  /** Aborted when the server stops. */
  signal: AbortSignal;
}

/** Probes come from anywhere, under any name. */
const PROBES = ['/healthz', '/readyz'];

/** Takes each request through every check that holds for all, to its route, and its answer back. */
export class Answerer {
  readonly #options: AnswererOptions;
  readonly #router: Router;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { context, isTls } = this.#options;
    const startedAt = context.clock.now();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (isTls) for (const [name, value] of Object.entries(TLS_HEADERS)) response.setHeader(name, value);
    let path = 'none';
    try {
      const url = urlOf(request);
      const match = this.#router.find(request.method ?? '', url.pathname);
      path = match?.route.path ?? 'page';
      const reply = await this.#reply(request, response, { url, match });
      await sendReply(response, reply, this.#sending(request));
    } catch (error) {
      await this.#fail(request, response, error);
    }
    const labels = { route: path, method: request.method ?? '', status: String(response.statusCode) };
    context.metrics.add('headway_http_requests_total', labels);
    context.metrics.observe('headway_http_seconds', labels, (context.clock.now() - startedAt) / 1000);
  }

  async #reply(
    request: IncomingMessage,
    response: ServerResponse,
    { url, match }: { url: URL; match: Match | undefined },
  ): Promise<Reply> {
    const { hosts, pageDir } = this.#options;
    if (!PROBES.includes(url.pathname)) checkHost(request, hosts);
    if (match === undefined) return this.#otherMethod(request, url) ?? (await pageOf(request, url, pageDir));
    const caller = this.#admit(request, match.route);
    const call = {
      params: match.params,
      query: parsed(match.route.query, Object.fromEntries(url.searchParams), 'query'),
      body: await this.#body(request, match.route),
      caller,
      request,
      signal: this.#signalOf(response, caller),
    };
    const { status = 200 } = match.route;
    return { status, ...(await match.route.handle(call as Call<never>)) };
  }

  /** For a path that is there, but not for this method. */
  #otherMethod({ method = '' }: IncomingMessage, { pathname }: URL): Reply | undefined {
    const allow = this.#router.methodsOf(pathname).join(', ');
    if (allow === '') return undefined;
    const error = new AppError('usage', `${method} ${pathname.slice(0, 200)}: this path takes ${allow}`);
    return { status: 405, headers: { allow }, json: errorReply(error).answer };
  }

  /** Who it is and whether they may ask just now. */
  #admit(request: IncomingMessage, route: Route): Caller {
    const { context, rate } = this.#options;
    if (route.isOpen === true) {
      const caller = nobody(request);
      if (!PROBES.includes(route.path)) rate.take(caller.key, caller.address);
      return caller;
    }
    const caller = context.callers.callerOf(request);
    // Anybody can make up tokens, and each would have a limit of its own.
    const isKnown =
      caller.session !== undefined || [...caller.logins.values()].some((each) => context.rights.knows(each));
    rate.take(isKnown ? caller.key : nobody(request).key, caller.address);
    if (route.method === 'GET') return caller;
    checkOrigin(request);
    const { session } = caller;
    const token = request.headers['x-csrf-token'];
    // Logging in begins a session or adds to it; another site cannot send the JSON it takes.
    if (session === undefined || route.path === '/api/login') return caller;
    if (typeof token === 'string' && context.cookies.isCsrf(session, token)) return caller;
    throw new AppError('forbidden', 'change something: the header x-csrf-token is missing or not of this session', {
      details: { hint: 'Its value is in GET /api/session' },
    });
  }

  async #body(request: IncomingMessage, route: Route): Promise<Json | undefined> {
    if (route.body === undefined) return undefined;
    const body = await readJsonBody(request, this.#options.context.limits);
    parsed(route.body, body, 'body');
    return body;
  }

  /** Everything that a request has begun ends with its connection, and with the session that it belongs to. */
  #signalOf(response: ServerResponse, { session }: Caller): AbortSignal {
    const end = new AbortController();
    const leave =
      session === undefined
        ? undefined
        : this.#options.context.cookies.onEnd(session, () => {
            end.abort(new AppError('unauthenticated', 'your session has ended'));
          });
    const left = (): void => {
      leave?.();
      end.abort(new AppError('canceled', 'the client has left'));
    };
    if (response.closed) left();
    else response.once('close', left);
    return AbortSignal.any([end.signal, this.#options.signal]);
  }

  #sending({ method }: IncomingMessage): SendOptions {
    return { isHead: method === 'HEAD', stuckMs: this.#options.context.limits.stuckMs };
  }

  async #fail(request: IncomingMessage, response: ServerResponse, thrown: unknown): Promise<void> {
    const { log } = this.#options.context;
    const error = toAppError(thrown);
    if (response.destroyed && isBrokenLine(error.cause)) {
      log.debug('client left', { method: request.method, err: error.message });
    } else if (error.facts.family === 'bug') {
      log.error('request failed', { method: request.method, err: messageOf(error.cause ?? error), stack: error.stack });
    }
    if (response.destroyed) return;
    if (response.headersSent) {
      // What was begun cannot be taken back; a cut connection is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    for (const name of response.getHeaderNames()) if (/^content-|^set-cookie$/.test(name)) response.removeHeader(name);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const { status, headers, answer } = errorReply(error);
    // The rest of a body that was refused is not waited for.
    const close: Record<string, string> = request.complete ? {} : { connection: 'close' };
    await sendReply(response, { status, headers: { ...headers, ...close }, json: answer }, this.#sending(request));
  }
}

/** What reading and writing fail with when the other end is gone. */
const BROKEN_LINE = ['ECONNRESET', 'EPIPE', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

function isBrokenLine(error: unknown): boolean {
  return error instanceof Error && 'code' in error && BROKEN_LINE.includes(String(error.code));
}

async function pageOf({ method }: IncomingMessage, { pathname }: URL, directory: string | undefined): Promise<Reply> {
  const isPage = (method === 'GET' || method === 'HEAD') && !pathname.startsWith('/api/');
  if (!isPage) throw new AppError('notFound', `find ${pathname.slice(0, 200)}: there is no such path`);
  return await pageFile(directory, pathname);
}

function urlOf(request: IncomingMessage): URL {
  const target = request.url ?? '';
  // The absolute form is for proxies, and would bring a second host along.
  if (!target.startsWith('/') || target.startsWith('//')) throw new AppError('usage', 'read the request: no path');
  const url = `http://headway${target}`;
  if (!URL.canParse(url)) throw new AppError('usage', 'read the request: its path is no URL');
  return new URL(url);
}

function parsed(schema: Route['query'], value: unknown, what: 'query' | 'body'): unknown {
  if (schema === undefined) return {};
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || what}: ${message}`);
  throw new AppError(what === 'query' ? 'usage' : 'invalid', `read the ${what}: ${problems.join('; ')}`, {
    details: { problems },
  });
}
