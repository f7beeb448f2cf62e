import { request as httpsRequest } from 'node:https';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';
import { parseJson, stringifyJson } from '../../src/base/index.ts';

/** How to reach one API server as its administrator. */
export interface Endpoint {
  server: string;
  caPem: string;
  token: string;
}

export interface Ask {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a string or bytes as they are. */
  body?: unknown;
}

export interface Answer {
  status: number;
  /** Only what the contract is about. */
  headers: { contentType: string; warning?: string };
  body: unknown;
}

/** Raw requests, because the contract is what goes over the wire and not what a client makes of it. */
export class Api implements AsyncDisposable {
  readonly #endpoint: Endpoint;
  readonly #agent: Agent;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#agent = new Agent({ connect: { ca: endpoint.caPem }, bodyTimeout: 30_000, headersTimeout: 30_000 });
  }

  get(path: string, ask: Ask = {}): Promise<Answer> {
    return this.#send('GET', path, ask);
  }
  post(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.#send('POST', path, { ...ask, body });
  }
  put(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.#send('PUT', path, { ...ask, body });
  }
  delete(path: string, ask: Ask = {}): Promise<Answer> {
    return this.#send('DELETE', path, ask);
  }
  patch(
    path: string,
    type: 'merge' | 'strategic-merge' | 'json' | 'apply',
    body: unknown,
    ask: Ask = {},
  ): Promise<Answer> {
    const contentType = type === 'apply' ? 'application/apply-patch+yaml' : `application/${type}-patch+json`;
    return this.#send('PATCH', path, { ...ask, body, headers: { 'content-type': contentType, ...ask.headers } });
  }

  /** Watch events as they come; the caller breaks out of the loop. */
  async *watch(
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): AsyncGenerator {
    const answer = await request(this.#url(path, { watch: 'true', timeoutSeconds: '20', ...query }), {
      dispatcher: this.#agent,
      headers: this.#headers(headers),
    });
    let rest = '';
    try {
      for await (const chunk of answer.body) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield parseJson(line);
      }
    } finally {
      answer.body.destroy();
    }
  }

  /** The first events of a watch, as many as wanted. */
  async events(
    count: number,
    path: string,
    query: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown[]> {
    const seen: unknown[] = [];
    for await (const event of this.watch(path, query, headers)) {
      if (seen.push(event) === count) break;
    }
    return seen;
  }

  /** A body as it comes, piece by piece: a log that is followed. */
  async *stream(path: string, query: Readonly<Record<string, string>>): AsyncGenerator<string> {
    const answer = await request(this.#url(path, query), { dispatcher: this.#agent, headers: this.#headers({}) });
    try {
      for await (const chunk of answer.body) yield String(chunk);
    } finally {
      answer.body.destroy();
    }
  }

  /** A websocket to a pod, paused; where the server refuses, its answer. `query` may name a key more than once. */
  async connect(path: string, query: readonly (readonly string[])[], protocol: string): Promise<WebSocket | Answer> {
    const url = this.#url(path, {});
    for (const [key = '', value = ''] of query) url.searchParams.append(key, value);
    const socket = new WebSocket(url, protocol, { ca: this.#endpoint.caPem, headers: this.#identity() });
    return await new Promise((resolve, reject) => {
      socket.once('open', () => {
        // Until the caller listens: a server that says all it has to say at once must not have said it to nobody.
        socket.pause();
        resolve(socket);
      });
      socket.once('unexpected-response', (sent, answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          sent.destroy();
          resolve(answerOf(answer.statusCode ?? 0, answer.headers, text));
        });
      });
      socket.once('error', reject);
    });
  }

  /** What is said to a request for another protocol: 101 where the server changes to it. */
  async upgrade(path: string, protocol: string, { query = {}, headers: extra = {} }: Ask): Promise<number> {
    const headers = { ...this.#identity(), connection: 'Upgrade', upgrade: protocol, ...extra };
    const sent = httpsRequest(this.#url(path, query), {
      method: 'POST',
      ca: this.#endpoint.caPem,
      headers,
      agent: false,
    });
    const answered = new Promise<number>((resolve, reject) => {
      sent.once('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy();
        resolve(statusCode);
      });
      sent.once('response', ({ statusCode = 0 }) => {
        resolve(statusCode);
      });
      sent.once('error', reject);
    });
    sent.end();
    try {
      return await answered;
    } finally {
      sent.destroy();
    }
  }

  async #send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, ask: Ask): Promise<Answer> {
    const hasBody = ask.body !== undefined;
    const raw = typeof ask.body === 'string' || ask.body instanceof Uint8Array;
    const answer = await request(this.#url(path, ask.query ?? {}), {
      method,
      dispatcher: this.#agent,
      headers: this.#headers({ ...(hasBody ? { 'content-type': 'application/json' } : {}), ...ask.headers }),
      ...(hasBody ? { body: raw ? (ask.body as string | Uint8Array) : stringifyJson(ask.body) } : {}),
    });
    return answerOf(answer.statusCode, answer.headers, await answer.body.text());
  }

  #url(path: string, query: Readonly<Record<string, string>>): URL {
    const url = new URL(path, this.#endpoint.server);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return url;
  }

  #headers(extra: Readonly<Record<string, string>>): Record<string, string> {
    return {
      accept: 'application/json',
      ...this.#identity(),
      ...extra,
    };
  }

  /** A connection to a pod is nothing that could be had as JSON. */
  #identity(): Record<string, string> {
    return { 'user-agent': 'contract/1', authorization: `Bearer ${this.#endpoint.token}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

function answerOf(
  status: number,
  headers: Readonly<Record<string, string[] | string | undefined>>,
  text: string,
): Answer {
  const contentType = String(headers['content-type'] ?? '');
  const warning = headers['warning'];
  return {
    status,
    headers: { contentType, ...(warning === undefined ? {} : { warning: String(warning) }) },
    body: contentType.startsWith('application/json') ? parseJson(text) : text,
  };
}
