import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A request on its way through the line. */
export interface Passing {
  method: string;
  /** With the query. */
  path: string;
}

/** What happens to a request instead of being passed on as it is. */
export type Fault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }
  | { kind: 'late'; ms: number }
  /** Passed on when this has been done. */
  | { kind: 'after'; deed: () => Promise<unknown> }
  /** Before it reaches the server, in the middle of the answer, or when all is done and only the answer is missing. */
  | { kind: 'hold'; where: 'before' | 'middle' | 'after' };

type Rule = (passing: Passing) => Fault | undefined;

/**
 * HTTP to a server, plain on the near side: requests can be held, slowed, answered by the line itself, and the whole
 * line cut. Headers pass as they are, the host among them, so that signed requests stay valid.
 */
export class FaultLine implements AsyncDisposable {
  readonly #far: URL;
  readonly #ca: string | undefined;
  readonly #agent: Agent;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #rule: Rule = () => undefined;
  readonly #watched: { matches: (passing: Passing) => boolean; resolve: () => void }[] = [];
  #isCut = false;
  /** Of every body, both ways; 0 is as fast as it goes. */
  bytesPerSecond = 0;
  /** How many requests came. */
  requests = 0;

  static async to(url: string, options: { ca?: string } = {}): Promise<FaultLine> {
    const line = new FaultLine(url, options.ca);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  private constructor(url: string, ca: string | undefined) {
    this.#far = new URL(url);
    this.#ca = ca;
    const keep = { keepAlive: true };
    this.#agent = this.#far.protocol === 'https:' ? new TlsAgent({ ...keep, ca }) : new Agent(keep);
    this.#server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (near, answer) => {
      this.requests += 1;
      this.#pass(near, answer).catch(() => {
        // A broken line is what this is for; each end hears of it by losing its connection.
        near.socket.destroy();
      });
    });
    this.#server.on('upgrade', (near: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.requests += 1;
      socket.on('error', () => undefined);
      this.#connect(near, socket, head).catch(() => socket.destroy());
    });
    this.#server.on('connection', (socket: Socket) => {
      if (this.#isCut) socket.destroy();
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Asked for every request from now on; replaces what was there before. */
  rule(rule: Rule): void {
    this.#rule = rule;
  }

  /** Holds every request that matches, from the nth on, until the rules are cleared; resolves at the first of them. */
  async holds(matches: (passing: Passing) => boolean, where: 'before' | 'middle' | 'after', nth = 1): Promise<void> {
    let seen = 0;
    await new Promise<void>((resolve) => {
      this.#rule = (passing) => {
        if (!matches(passing)) return undefined;
        seen += 1;
        if (seen < nth) return undefined;
        resolve();
        return { kind: 'hold', where };
      };
    });
  }

  /** Resolves when the whole answer to the next request that matches has been sent. */
  async passes(matches: (passing: Passing) => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#watched.push({ matches, resolve });
    });
  }

  /** What is held stays held; what comes passes. */
  clear(): void {
    this.#rule = () => undefined;
    this.bytesPerSecond = 0;
  }

  /** Ends every connection and refuses new ones, until mended. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async #pass(near: IncomingMessage, answer: ServerResponse): Promise<void> {
    const passing = { method: near.method ?? 'GET', path: near.url ?? '/' };
    const fault = this.#rule(passing);
    switch (fault?.kind) {
      case 'answer':
        near.resume();
        answer.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.body);
        return;
      case 'hold':
        await this.#hold(near, answer, fault.where);
        return;
      case 'late':
        await delay(fault.ms);
        break;
      case 'after':
        await fault.deed();
        break;
      case undefined:
        break;
    }
    const far = await this.#forward(near, answer);
    answer.writeHead(far.statusCode ?? 502, far.headers);
    answer.flushHeaders();
    await this.#pump(far, answer, Infinity);
    answer.end();
    for (const { matches, resolve } of this.#watched) if (matches(passing)) resolve();
  }

  /** A connection that becomes something else, such as a websocket: what follows passes as it is. */
  async #connect(near: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const fault = this.#rule({ method: near.method ?? 'GET', path: near.url ?? '/' });
    if (fault?.kind === 'hold') return;
    if (fault?.kind === 'late') await delay(fault.ms);
    const { hostname, port, protocol } = this.#far;
    const ask = protocol === 'https:' ? tlsRequest : request;
    // Not from the agent: the connection is not given back.
    const far = ask({
      hostname,
      port,
      ca: this.#ca,
      method: near.method,
      path: near.url,
      headers: near.headers,
      agent: false,
    });
    far.on('error', () => socket.destroy());
    far.on('response', (answer) => {
      socket.write(`HTTP/1.1 ${String(answer.statusCode)} Refused\r\n${headerLines(answer)}connection: close\r\n\r\n`);
      answer.pipe(socket);
    });
    far.on('upgrade', (answer, other: Duplex, rest: Buffer) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(answer)}\r\n`);
      if (rest.length > 0) socket.write(rest);
      if (head.length > 0) other.write(head);
      other.on('error', () => socket.destroy());
      socket.on('close', () => other.destroy());
      other.on('close', () => socket.destroy());
      socket.pipe(other);
      other.pipe(socket);
    });
    far.end();
  }

  /** The near side waits for an answer, or for the rest of it, until somebody gives up. */
  async #hold(near: IncomingMessage, answer: ServerResponse, where: 'before' | 'middle' | 'after'): Promise<void> {
    if (where === 'before') return;
    const far = await this.#forward(near, answer);
    if (where === 'after') {
      far.resume();
      return;
    }
    answer.writeHead(far.statusCode ?? 502, far.headers);
    answer.flushHeaders();
    await this.#pump(far, answer, Number(far.headers['content-length'] ?? 0) / 2);
  }

  async #forward(near: IncomingMessage, answer: ServerResponse): Promise<IncomingMessage> {
    const { method, url: path, headers } = near;
    const { hostname, port, protocol } = this.#far;
    const ask = protocol === 'https:' ? tlsRequest : request;
    const far = ask({ hostname, port, method, path, headers, agent: this.#agent });
    answer.on('close', () => far.destroy());
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      far.on('response', resolve);
      far.on('error', reject);
    });
    // The answer may come before the end of what is sent, and what fails there fails here too.
    answered.catch(() => undefined);
    // A store is asked whether it wants a body before it is sent.
    if (headers.expect !== undefined) far.flushHeaders();
    await this.#pump(near, far, Infinity);
    far.end();
    return await answered;
  }

  async #pump(from: Readable, to: { write(chunk: Buffer): boolean; destroyed: boolean }, limit: number): Promise<void> {
    let passed = 0;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (this.bytesPerSecond > 0) await delay((chunk.length / this.bytesPerSecond) * 1000);
      if (to.destroyed) return;
      if (passed + chunk.length > limit) {
        to.write(chunk.subarray(0, Math.max(0, limit - passed)));
        return;
      }
      passed += chunk.length;
      // Without back-pressure: nothing that passes here is larger than the memory of a test.
      to.write(chunk);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  let lines = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!/^(?:transfer-encoding|connection)$/i.test(name) || value.toLowerCase() === 'upgrade') {
      lines += `${name}: ${value}\r\n`;
    }
  }
  return lines;
}
