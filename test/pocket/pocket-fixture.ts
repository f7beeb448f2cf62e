import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { NO_LOG, type Clock } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../../src/pocket/index.ts';

export interface Answer {
  code: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Record<string, unknown>;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  token?: string;
}

/** A pocket cluster in a directory of its own, and a plain way to talk to it. */
export class PocketFixture implements AsyncDisposable {
  readonly dir: string;
  readonly pocket: Pocket;
  readonly #agent: Agent;

  private constructor(dir: string, pocket: Pocket) {
    this.dir = dir;
    this.pocket = pocket;
    this.#agent = new Agent({ connect: { ca: pocket.ca }, bodyTimeout: 0, headersTimeout: 0 });
  }

  static async start(clock: Clock = systemClock): Promise<PocketFixture> {
    const dir = mkdtempSync(join(tmpdir(), 'headway-pocket-'));
    return new PocketFixture(dir, await startPocket({ dir, name: 'test', port: 0, clock, log: NO_LOG }));
  }

  async ask(path: string, { method = 'GET', headers = {}, body, token }: Ask = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await request(this.pocket.url + path, {
      method: method as 'GET',
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${token ?? this.pocket.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const parsed = isJson && text !== '' && !text.includes('\n{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { code: answer.statusCode, headers: answer.headers, text, body: parsed };
  }

  /** The lines of a watch as they come. Break out of the loop to end it. */
  async *watch(path: string): AsyncGenerator<{ type: string; object: Record<string, unknown> }> {
    const answer = await request(this.pocket.url + path, {
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${this.pocket.token}` },
    });
    let rest = '';
    try {
      for await (const chunk of answer.body) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as { type: string; object: Record<string, unknown> };
      }
    } finally {
      answer.body.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
    await this.pocket.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
