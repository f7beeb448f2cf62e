import { createServer as createPlain, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { AppError, isAppError, messageOf, type Log } from '../../../base/index.ts';
import type { ApiServer } from '../api-server.ts';
import { statusOf } from '../errors/index.ts';
import { errorAnswer, send } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import { dispatch } from './dispatch.ts';
import type { Upgrade } from './exchange.ts';
import { plainResponse, upgradeTo, type UpgradeRequest } from './upgrade.ts';

export interface Credentials {
  key: string;
  cert: string;
  /** Signs the client certificates that are let in. */
  ca: string;
}

export interface HttpServerDeps {
  api: ApiServer;
  authenticator: Authenticator;
  log: Log;
  /** Absent for plain HTTP. */
  credentials?: Credentials;
}

const OPTIONS = {
  // Long exec commands travel in the URL; this is Go's limit too.
  maxHeaderSize: 1 << 20,
  keepAliveTimeout: 90_000,
  // For what the client sends; answers such as watches may take as long as they like.
  requestTimeout: 60_000,
  headersTimeout: 30_000,
  noDelay: true,
};

/** The API over HTTP on the loopback interface. */
export class HttpServer {
  readonly #server: Server;
  /** Connections that go on with another protocol; the server knows them no more. */
  readonly #upgraded = new Set<Duplex>();
  readonly #deps: HttpServerDeps;

  constructor(deps: HttpServerDeps) {
    this.#deps = deps;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#answer(request, response);
    };
    this.#server =
      deps.credentials === undefined
        ? createPlain(OPTIONS, listener)
        : createTls({ ...OPTIONS, ...deps.credentials, requestCert: true, rejectUnauthorized: false }, listener);
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgrade({ request, socket, head });
    });
  }

  /** The port that was taken; 0 lets the system choose one. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
        const what = `listening on 127.0.0.1:${port} failed: ${isTaken ? `the port is not free (${error.code})` : error.message}`;
        reject(new AppError(isTaken ? 'conflict' : 'invalidConfig', what, { cause: error }));
      });
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /** Ends when the last connection is closed; those that are open are cut. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
      for (const socket of this.#upgraded) socket.destroy();
    });
  }

  #upgrade(upgrade: UpgradeRequest): void {
    const { request, socket } = upgrade;
    this.#upgraded.add(socket);
    socket.on('close', () => this.#upgraded.delete(socket));
    // Whoever reads from it hears of its end.
    socket.on('error', () => undefined);
    const response = plainResponse(upgrade);
    void this.#answer(request, response, upgradeTo(upgrade, response));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): Promise<void> {
    const { api, authenticator, log } = this.#deps;
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const warnings: string[] = [];
    try {
      const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
      const exchange = { request, response, path, query, warnings, ...(upgrade === undefined ? {} : { upgrade }) };
      const answer = await dispatch(api, authenticator, exchange);
      if (answer !== undefined) send(response, answer, warnings);
    } catch (error) {
      if (isAppError(error, 'canceled')) return;
      const code = statusOf(error).code ?? 500;
      if (code === 500 && !isAppError(error)) {
        log.error('request failed', { method: request.method, path: path.slice(0, 200), err: messageOf(error) });
      }
      send(response, errorAnswer(error), warnings);
    }
  }
}
