import { Agent, request } from 'undici';
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

  async #send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, ask: Ask): Promise<Answer> {
    const hasBody = ask.body !== undefined;
    const raw = typeof ask.body === 'string' || ask.body instanceof Uint8Array;
    const answer = await request(this.#url(path, ask.query ?? {}), {
      method,
      dispatcher: this.#agent,
      headers: this.#headers({ ...(hasBody ? { 'content-type': 'application/json' } : {}), ...ask.headers }),
      ...(hasBody ? { body: raw ? (ask.body as string | Uint8Array) : stringifyJson(ask.body) } : {}),
    });
    const text = await answer.body.text();
    const contentType = String(answer.headers['content-type'] ?? '');
    const warning = answer.headers['warning'];
    return {
      status: answer.statusCode,
      headers: { contentType, ...(warning === undefined ? {} : { warning: String(warning) }) },
      body: contentType.startsWith('application/json') ? parseJson(text) : text,
    };
  }

  #url(path: string, query: Readonly<Record<string, string>>): URL {
    const url = new URL(path, this.#endpoint.server);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return url;
  }

  #headers(extra: Readonly<Record<string, string>>): Record<string, string> {
    return {
      accept: 'application/json',
      'user-agent': 'contract/1',
      authorization: `Bearer ${this.#endpoint.token}`,
      ...extra,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}
