import { spawn } from 'node:child_process';
import { request } from 'node:https';
import { eventually } from '../eventually.ts';
import { Running } from '../headway-process.ts';

export interface PageAnswer {
  status: number;
  body: string;
  cookies: string[];
}

interface Asking {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/** A `kubectl port-forward`, and requests through it to a page whose authority is known. */
export class PortForward implements AsyncDisposable {
  readonly #running: Running;
  readonly #port: number;
  readonly #ca: string;

  static async start(command: string, env: NodeJS.ProcessEnv, ca: string): Promise<PortForward> {
    const running = new Running(spawn('bash', ['-c', `exec ${command}`], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    const port = await eventually(
      () => {
        const [, digits] = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(running.out) ?? [];
        if (digits === undefined) throw new Error(`no port is forwarded: ${running.out}${running.err}`);
        return Number(digits);
      },
      { withinMs: 20_000 },
    );
    return new PortForward(running, port, ca);
  }

  private constructor(running: Running, port: number, ca: string) {
    this.#running = running;
    this.#port = port;
    this.#ca = ca;
  }

  /** The certificate is checked. */
  async ask(path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<PageAnswer> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return await new Promise((resolve, reject) => {
      const asked = request(
        {
          ...{ host: '127.0.0.1', port: this.#port, path, method, headers: { ...json, ...headers } },
          // Not by the host header, which may be a stranger's.
          ...{ ca: this.#ca, servername: 'localhost' },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.on('end', () => {
            const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
            resolve({ status: answer.statusCode ?? 0, body: text, cookies });
          });
        },
      );
      asked.setTimeout(20_000, () => asked.destroy(new Error(`${path} was not answered`)));
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running.child.kill('SIGKILL');
    await this.#running.finished();
  }
}
