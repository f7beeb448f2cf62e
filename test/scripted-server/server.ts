import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { status, type Answer, type Recorded } from './answers.ts';
import type { PemPair } from './certificates.ts';

interface StartOptions {
  tls?: PemPair & {
    /** Asks clients for a certificate of this authority and refuses those without. */ clientCa?: string;
  };
  /** Default 127.0.0.1. */
  host?: string;
}

/**
 * A real server on a free port that answers what it was told to. Answers given for a route (`on`) are used for that
 * route, those pushed (`push`) for whatever comes; each is used once, in order. The last answer of `always` stays.
 * A request nobody scripted gets a 599, so that a test cannot pass by accident.
 */
export class ScriptedServer {
  readonly requests: Recorded[] = [];
  /** For websockets: `http.on('upgrade', …)`. */
  readonly http: Server;
  /** How many connections were ever made. */
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #routes = new Map<string, Answer[]>();
  readonly #standing = new Map<string, Answer>();
  readonly #pushed: Answer[] = [];
  readonly #numbers = new WeakMap<Socket, number>();
  #url = '';

  static async start(options: StartOptions = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(options);
    const host = options.host ?? '127.0.0.1';
    await new Promise<void>((resolve, reject) => {
      server.http.once('error', reject);
      server.http.listen(0, host, resolve);
    });
    const { port } = server.http.address() as AddressInfo;
    server.#url = `${options.tls === undefined ? 'http' : 'https'}://${host}:${String(port)}`;
    return server;
  }

  private constructor(options: StartOptions) {
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#answer(request, response);
    };
    // Exec commands travel in the URL, so headers may be as long as Go allows.
    const common = { maxHeaderSize: 1 << 20, keepAliveTimeout: 60_000, requestTimeout: 0 };
    const { tls } = options;
    this.http =
      tls === undefined
        ? createHttpServer(common, listener)
        : createHttpsServer(
            {
              ...common,
              cert: tls.cert,
              key: tls.key,
              ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
            },
            listener,
          );
    this.http.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.connections += 1;
      this.#numbers.set(socket, this.connections);
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  get url(): string {
    return this.#url;
  }

  /** Connections open now. */
  get openConnections(): number {
    return this.#open.size;
  }

  push(...answers: Answer[]): this {
    this.#pushed.push(...answers);
    return this;
  }

  /** `on('GET /api/v1/pods', …)`; the query is not part of the route. */
  on(route: string, ...answers: Answer[]): this {
    this.#routes.set(route, [...(this.#routes.get(route) ?? []), ...answers]);
    return this;
  }

  /** Stays after everything scripted for the route was used; the route `*` is for every request. */
  always(route: string, answer: Answer): this {
    this.#standing.set(route, answer);
    return this;
  }

  /** Breaks every connection, as a crashed server would. */
  killConnections(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async stop(): Promise<void> {
    this.killConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await record(incoming, this.#numbers.get(incoming.socket) ?? 0);
    this.requests.push(request);
    const route = `${request.method} ${request.path}`;
    const answer =
      this.#routes.get(route)?.shift() ??
      this.#standing.get(route) ??
      this.#pushed.shift() ??
      this.#standing.get('*') ??
      status(599, 'NotScripted', `nothing is scripted for ${route}`);
    await answer({ request, response, socket: incoming.socket });
  }
}

async function record(incoming: IncomingMessage, connection: number): Promise<Recorded> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    // The client went away while sending; what came is recorded all the same.
  }
  const url = new URL(incoming.url ?? '/', 'http://scripted');
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    connection,
  };
}
