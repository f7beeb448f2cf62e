/** HTTP with undici and nothing else, for bare loops and for filling a cluster. */
import { Pool } from 'undici';

export interface Line {
  server: string;
  ca: string;
  token: string;
}

export interface Answer {
  status: number;
  bytes: Buffer;
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

  async send(method: Method, path: string, body?: string, contentType = typeOf(method)): Promise<Answer> {
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': contentType };
    const answer = await this.#pool.request({ method, path, headers, body: body ?? null });
    return { status: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  }

  /** Throws unless the server has said yes. */
  async bytes(method: Method, path: string, body?: string, contentType?: string): Promise<Buffer> {
    const { status, bytes } = await this.send(method, path, body, contentType);
    if (status >= 300)
      throw new Error(`${method} ${path} answered ${String(status)}: ${bytes.toString('utf8', 0, 500)}`);
    return bytes;
  }

  /** The answer's text; throws unless the server has said yes. */
  async ask(method: Method, path: string, body?: string, contentType?: string): Promise<string> {
    return (await this.bytes(method, path, body, contentType)).toString();
  }
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
