import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AppError, messageOf } from '../base/index.ts';
import { createContext } from './create-context.ts';
import type { LinkTarget } from './download-links.ts';
import { Answerer } from './http/answerer.ts';
import { LimitLog } from './http/limit-log.ts';
import { RateLimit } from './http/rate-limit.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { OperationFeed } from './live/operation-feed.ts';
import type { ServerLimits, ServerOptions, ServerPorts } from './ports.ts';
import { allRoutes } from './routes/index.ts';

export interface Server {
  /** Begins to watch and to answer. */
  listen(): Promise<{ url: string }>;
  /** A link that lets one browser in, once. */
  loginLink(): string;
  /** A link to one file of a location, for stores that have no address of their own. */
  linkTo(target: LinkTarget, seconds: number): string;
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** The HTTP server over the clusters given; nothing is opened before `listen`. */
export function createServer(options: ServerOptions, ports: ServerPorts): Server {
  refuseOpenHttp(options);
  const limits: ServerLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const stop = new AbortController();
  const feed = new OperationFeed(ports);
  const told = new LimitLog(ports.log, ports.clock);
  const { tree, places, history } = feed;
  const context = createContext(options, ports, { limits, told, tree, places, history });
  feed.onChange(() => {
    context.hub.wake();
  });
  const answerer = new Answerer({
    context,
    routes: allRoutes(context),
    rate: new RateLimit(
      { perSecond: limits.requestsPerSecond, burst: limits.requestsBurst, what: 'requests' },
      ports.clock,
      told,
    ),
    hosts: [options.host, ...(options.hosts ?? [])],
    pageDir: options.pageDir,
    isTls: options.tls !== undefined,
    signal: stop.signal,
  });
  const http = httpServer(options, limits, answerer);
  let url = options.publicUrl;
  const address = (): string => {
    if (url === undefined) throw new AppError('bug', 'make a link: the server does not listen yet');
    return url;
  };
  return {
    listen: async () => {
      const listening = await listenOn(http, options);
      url ??= listening;
      feed.start();
      context.hub.start();
      return { url: listening };
    },
    loginLink: () => `${address()}/login?code=${context.loginLinks.create()}`,
    linkTo: (target, seconds) => address() + context.downloads.create(target, seconds),
    close: async () => {
      stop.abort(new AppError('canceled', 'the server stops'));
      feed.stop();
      await context.hub.close();
      await closeHttp(http);
      await Promise.all([context.clients.close(), context.archives.close(), context.listings.close()]);
    },
  };
}

function refuseOpenHttp({ host, tls, insecure }: ServerOptions): void {
  if (tls !== undefined || insecure === true || LOOPBACK.includes(host)) return;
  throw new AppError('invalidConfig', `listen on ${host} without TLS: tokens would cross the network in clear text`, {
    details: { hint: 'Give a certificate with --tls-cert and --tls-key, or listen on 127.0.0.1' },
  });
}

function httpServer({ tls }: ServerOptions, limits: ServerLimits, answerer: Answerer): HttpServer {
  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.headersMs + limits.bodyMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 2000),
    keepAliveTimeout: 60_000,
    maxHeaderSize: 32 * 1024,
    insecureHTTPParser: false,
  };
  const answer = (...[request, response]: Parameters<Answerer['answer']>): void => {
    void answerer.answer(request, response);
  };
  const server =
    tls === undefined ? createHttpServer(settings, answer) : createHttpsServer({ ...settings, ...tls }, answer);
  server.maxRequestsPerSocket = 0;
  return server;
}

async function listenOn(http: HttpServer, { host, port, tls }: ServerOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => {
      reject(listenError(`listen on ${host}:${String(port)}`, error));
    });
    http.listen(port, host, resolve);
  });
  const { port: chosen } = http.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${String(chosen)}`;
}

function listenError(attempt: string, error: NodeJS.ErrnoException): AppError {
  if (error.code !== 'EADDRINUSE') {
    return new AppError('invalidConfig', `${attempt}: ${messageOf(error)}`, { cause: error });
  }
  return new AppError('alreadyExists', `${attempt}: another program listens there already`, {
    cause: error,
    details: { hint: 'Stop that one, or take any free port with: --listen 127.0.0.1:0' },
  });
}

async function closeHttp(http: HttpServer): Promise<void> {
  if (!http.listening) return;
  const closed = new Promise((resolve) => http.close(resolve));
  // Streams and kept connections would hold the server open for as long as their clients like.
  http.closeAllConnections();
  await closed;
}
