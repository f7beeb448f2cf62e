import { json, type Answer, type Recorded, type ScriptedServer } from './scripted-server/index.ts';

/** What one connection to the log does: how much of the file exists then, and how it ends. */
export interface LogConnection {
  /** Lines written by then; default all. */
  written?: number;
  /** Bytes sent before it ends; default everything there is. */
  bytes?: number;
  end: 'killed' | 'clean';
}

interface State {
  uid?: string;
  restartCount?: number;
  state?: Record<string, unknown>;
  lastState?: Record<string, unknown>;
}
export const RUNNING: State = { state: { running: {} } };
export const TERMINATED: State = { state: { terminated: { exitCode: 0 } } };

/**
 * A container's log as a kubelet serves it: whole seconds in `sinceTime`, each line judged by itself; `tailLines`
 * counts what is there. The connections happen in the order given, further ones tell the whole truth; the container
 * runs until all but `leftAtTheEnd` are used up.
 */
export class ScriptedLog {
  /** Each with its time and newline. */
  lines: string[] = [];
  connections: LogConnection[] = [];
  leftAtTheEnd = 0;
  /** The pod's container while it runs, and after. */
  before: State = RUNNING;
  after: State | 'deleted' = TERMINATED;
  readonly asked: Recorded[] = [];

  constructor(server: ScriptedServer, pod: string) {
    server.always(`GET ${pod}`, (exchange) => this.#pod(exchange));
    server.always(`GET ${pod}/log`, (exchange) => {
      this.asked.push(exchange.request);
      this.#log(exchange);
    });
  }

  get text(): string {
    return this.lines.join('');
  }

  #pod(exchange: Parameters<Answer>[0]): void | Promise<void> {
    const now = this.connections.length > this.leftAtTheEnd ? this.before : this.after;
    if (now === 'deleted') {
      const gone = {
        kind: 'Status',
        status: 'Failure',
        reason: 'NotFound',
        message: 'pods "db-0" not found',
        code: 404,
      };
      return json(gone, { status: 404 })(exchange);
    }
    const { uid = 'u1', ...rest } = now;
    const containerStatuses = [{ name: 'main', restartCount: 0, ...rest }];
    return json({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'db-0', namespace: 'shop', uid },
      status: { containerStatuses },
    })(exchange);
  }

  #log({ request, response, socket }: Parameters<Answer>[0]): void {
    const { written, bytes, end } = this.connections.shift() ?? { end: 'clean' as const };
    const { sinceTime, tailLines } = Object.fromEntries(request.query);
    const since = sinceTime === undefined ? -Infinity : Math.floor(Date.parse(sinceTime) / 1000) * 1000;
    const there = this.lines.slice(0, written).filter((line) => !(Date.parse(line.split(' ')[0]!) < since));
    const wanted = tailLines === undefined ? there : there.slice(Math.max(0, there.length - Number(tailLines)));
    const body = Buffer.from(wanted.join('')).subarray(0, bytes);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    response.write(body.length === 0 ? '' : body, () => {
      if (end === 'clean') response.end();
      else socket.destroy();
    });
  }
}
