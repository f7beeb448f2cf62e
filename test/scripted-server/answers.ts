import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stringifyJson } from '../../src/base/index.ts';

export interface Recorded {
  method: string;
  /** With the query, as sent. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** Counts from 1; equal numbers mean a connection was used again. */
  connection: number;
}

/** What a handler is given; it may do anything to the response or the socket, or nothing at all. */
export interface Exchange {
  request: Recorded;
  response: ServerResponse;
  socket: Socket;
}
export type Answer = (exchange: Exchange) => void | Promise<void>;

type HeaderMap = Record<string, string>;

export function json(body: unknown, options: { status?: number; headers?: HeaderMap } = {}): Answer {
  return ({ response }) => {
    response.writeHead(options.status ?? 200, { 'content-type': 'application/json', ...options.headers });
    response.end(stringifyJson(body));
  };
}

/** A Kubernetes Status, such as `status(404, 'NotFound', 'pods "a" not found')`. */
export function status(
  code: number,
  reason: string,
  message = reason,
  more: { details?: unknown; headers?: HeaderMap } = {},
): Answer {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return json(more.details === undefined ? body : { ...body, details: more.details }, {
    status: code,
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  });
}

export function text(body: string, options: { status?: number; headers?: HeaderMap } = {}): Answer {
  return ({ response }) => {
    response.writeHead(options.status ?? 200, { 'content-type': 'text/plain', ...options.headers });
    response.end(body);
  };
}

export function html(body: string, options: { status?: number } = {}): Answer {
  return text(body, { ...options, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

export function gzipped(body: unknown): Answer {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(stringifyJson(body)));
  };
}

/** Promises the whole body and breaks the connection after `bytes` of it. */
export function truncated(body: unknown, bytes: number): Answer {
  return ({ response, socket }) => {
    const whole = Buffer.from(stringifyJson(body));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    response.write(whole.subarray(0, bytes), () => socket.destroy());
  };
}

/** Breaks the connection instead of answering. */
export const killed: Answer = ({ socket }) => {
  socket.destroy();
};

/** Does what the inner answer would do, but breaks the connection before a byte of it is sent: a lost answer. */
export function lost(effect: () => void): Answer {
  return ({ socket }) => {
    effect();
    socket.destroy();
  };
}

/** Reads the request and never answers. */
export const silent: Answer = () => undefined;

export function slow(ms: number, answer: Answer): Answer {
  return async (exchange) => {
    await delay(ms);
    await answer(exchange);
  };
}

/** An answer written by the test, bit by bit: a watch, a log. */
export class Streaming {
  readonly #opened = Promise.withResolvers<ServerResponse>();
  readonly #closed = Promise.withResolvers<undefined>();
  /** Settles when the request is in and the headers are out. */
  readonly opened: Promise<unknown> = this.#opened.promise;
  /** Settles when the connection or the answer ended, whoever ended it. */
  readonly closed: Promise<unknown> = this.#closed.promise;

  readonly answer: Answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    response.once('close', () => {
      this.#closed.resolve(undefined);
    });
    this.#opened.resolve(response);
  };

  async write(bytes: string | Uint8Array): Promise<void> {
    const response = await this.#opened.promise;
    await new Promise<void>((resolve, reject) =>
      response.write(bytes, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  }

  /** One line of JSON, as watches send them. */
  line(value: unknown): Promise<void> {
    return this.write(`${stringifyJson(value)}\n`);
  }

  async end(): Promise<void> {
    (await this.#opened.promise).end();
  }

  /** Breaks the connection without an end. */
  async kill(): Promise<void> {
    (await this.#opened.promise).destroy();
  }
}
