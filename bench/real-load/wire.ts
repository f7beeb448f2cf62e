/** HTTP with undici and nothing else, for bare loops and for filling a cluster. */
import { Pool } from 'undici';

export interface Line {
  server: string;
  ca: string;
  token: string;
}

export interface Answer {
  status: number;
  text: string;
}

export class Wire implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;

  constructor({ server, ca, token }: Line, connections: number) {
    this.#pool = new Pool(server, { connections, connect: { ca } });
    this.#headers = { authorization: `Bearer ${token}`, 'user-agent': 'bare-loop' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  async send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: string): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': type };
    const answer = await this.#pool.request({ method, path, headers, body: body ?? null });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  /** The answer's text; throws unless the server has said yes. */
  async ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: string): Promise<string> {
    const { status, text } = await this.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${String(status)}: ${text.slice(0, 500)}`);
    return text;
  }
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
