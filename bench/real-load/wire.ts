/** HTTP with undici and nothing else, for bare loops and for filling a cluster. */
import { Pool } from 'undici';

export interface Line {
  server: string;
  ca: string;
  token: string;
}

export interface Answer {
  status: number;
  /** As they came: whoever does nothing with an answer shall not pay for making one piece of it. */
  chunks: Buffer[];
}

type Method = 'GET' | 'POST' | 'PATCH';

export class Wire implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  readonly #connections: number;

  constructor({ server, ca, token }: Line, connections: number) {
    this.#connections = connections;
    this.#pool = new Pool(server, { connections, connect: { ca } });
    this.#headers = { authorization: `Bearer ${token}`, 'user-agent': 'bare-loop' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  /** Opens all connections, which takes the first requests tens of milliseconds each. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: this.#connections }, () => this.send('GET', '/version')));
  }

  /** By `dispatch`, because undici's `request` makes a stream of every answer. */
  send(method: Method, path: string, body?: string, contentType = typeOf(method)): Promise<Answer> {
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': contentType };
    return new Promise((resolve, reject) => {
      const answer: Answer = { status: 0, chunks: [] };
      this.#pool.dispatch(
        { method, path, headers, body: body ?? null },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, status) => {
            answer.status = status;
          },
          onResponseData: (_controller, chunk) => {
            answer.chunks.push(chunk);
          },
          onResponseEnd: () => {
            resolve(answer);
          },
          onResponseError: (_controller, error) => {
            reject(error);
          },
        },
      );
    });
  }

  /** Throws unless the server has said yes. */
  async chunks(method: Method, path: string, body?: string, contentType?: string): Promise<Buffer[]> {
    const answer = await this.send(method, path, body, contentType);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${String(answer.status)}: ${textOf(answer).slice(0, 500)}`);
    }
    return answer.chunks;
  }

  /** The answer's text; throws unless the server has said yes. */
  async ask(method: Method, path: string, body?: string, contentType?: string): Promise<string> {
    return Buffer.concat(await this.chunks(method, path, body, contentType)).toString();
  }
}

export function textOf({ chunks }: Answer): string {
  return Buffer.concat(chunks).toString();
}

function typeOf(method: Method): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

/** Works on everything with as many workers; the first failure ends it. */
export async function inParallel<T>(
  all: Iterable<T>,
  workers: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

export function lineFromEnvironment(): Line {
  const { SERVER: server = '', CA: ca = '', TOKEN: token = '' } = process.env;
  return { server, ca, token };
}

export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
