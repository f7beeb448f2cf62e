import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

interface ScriptedAnswer {
  status: number;
  body: string | Buffer;
  headers: OutgoingHttpHeaders;
}

/** Answers what the test says, byte by byte as a server and a store would. */
export class ScriptedHeadway implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, ScriptedAnswer>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      this.asked.push({ method, url, headers });
      const path = url.split('?')[0] ?? '';
      const answer = this.#answers.get(`${method} ${path}`) ?? { status: 404, body: 'no such page', headers: {} };
      request.resume();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }

  static async start(): Promise<ScriptedHeadway> {
    const scripted = new ScriptedHeadway();
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  json(request: string, body: unknown, status = 200, headers: OutgoingHttpHeaders = {}): void {
    this.#answers.set(request, { status, body: JSON.stringify(body), headers });
  }

  text(request: string, body: string): void {
    this.#answers.set(request, { status: 200, body, headers: {} });
  }

  gzip(path: string, body: string): void {
    this.#answers.set(`GET ${path}`, { status: 200, body: gzipSync(body), headers: {} });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
