import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import {
  adapterFor,
  matchesIdentity,
  matchesNow,
  OperationTree,
  type FilesListing,
  type HeartbeatEvent,
  type Operation,
  type OperationQuery,
  type OperationsAnswer,
  type SessionAnswer,
} from '../../src/core/operations/index.ts';
import { SampleHistory } from '../../src/server/live/sample-history.ts';
import { SECURITY_HEADERS } from '../../src/server/http/security-headers.ts';
import {
  BACKUP_PLAN,
  contents,
  DIFF,
  ITEM,
  locations,
  LOG,
  RESTORE_PLAN,
  schedules,
  SESSION,
} from './sample-answers.ts';
import { ACTION_LOG } from './sample-actions.ts';
import { ACTION_PLAN, BLUEPRINT, blueprints, VOLUME_FILES, VOLUMES } from './sample-blueprints.ts';
import { detailOf } from './sample-operations.ts';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
  details?: object;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const PLANS: Readonly<Record<string, object>> = {
  Backup: BACKUP_PLAN,
  Restore: RESTORE_PLAN,
  ActionSet: ACTION_PLAN,
};
const HEARTBEAT_MS = 1000;
/** What the page asks the events for. */
const KEPT: OperationQuery = { volumes: 'top' };

/** Serves the built page, with the real server's headers, and says what a test tells it to. */
export class ScriptedPageServer {
  session: SessionAnswer = SESSION;
  /** Of a snapshot; the rest comes in pages. */
  snapshotLimit = 500;
  /** Clusters that the server says it cannot see. */
  unseen: HeartbeatEvent['unseen'] = [];
  /** Of the server's clock. */
  aheadMs = 0;
  /** The server's time, where it stands still. */
  fixedNow: number | undefined;
  /** A log that is still written to. */
  isLogOpen = false;
  readonly requests: SeenRequest[] = [];
  readonly refusals = new Map<string, Refusal>();
  /** How far the list of a volume's files is; undefined when it is there. */
  listing: FilesListing | undefined;
  readonly #operations = new Map<string, Operation>();
  /** Of what is told as custom resources. */
  readonly #tree = new OperationTree();
  readonly #history = new SampleHistory();
  readonly #streams = new Set<ServerResponse>();
  readonly #pageDir: string;
  #server: Server | undefined;
  #heart: NodeJS.Timeout | undefined;
  #version = 0;
  #port = 0;

  constructor(pageDir: string) {
    this.#pageDir = pageDir;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}/`;
  }

  /** Again on the same port after a stop. */
  async start(): Promise<this> {
    const server = createServer((request, response) => {
      void this.#handle(request, response);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.beat();
    return this;
  }

  /** As if it were killed: every connection breaks. */
  async stop(): Promise<void> {
    this.silence();
    this.#streams.clear();
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  /** Connections stay open, but nothing comes any more. */
  silence(): void {
    clearInterval(this.#heart);
    this.#heart = undefined;
  }

  beat(): void {
    this.#heart = setInterval(() => {
      const now = new Date(this.#now()).toISOString();
      this.#tell('heartbeat', { now, unseen: this.unseen } satisfies HeartbeatEvent);
    }, HEARTBEAT_MS);
  }

  put(...operations: readonly Operation[]): void {
    for (const operation of operations) {
      this.#operations.set(operation.id, operation);
      this.#history.see(operation, this.#now());
      if (matchesNow(KEPT, operation)) this.#tell('operation', operation);
      else this.#tell('removed', { id: operation.id });
    }
  }

  /** As if the cluster had it: read by the real adapters, with what it is part of and its own parts. */
  apply(cluster: string, ...objects: readonly KubeObject[]): void {
    const { version } = this.#tree;
    for (const object of objects) this.#tree.put(adapterFor(object.kind), object, { cluster, now: this.#now() });
    this.put(...(this.#tree.since(version)?.changed ?? []).map(({ operation }) => operation));
  }

  remove(id: string): void {
    this.#operations.delete(id);
    this.#tell('removed', { id });
  }

  get streams(): number {
    return this.#streams.size;
  }

  #now(): number {
    return this.fixedNow ?? Date.now() + this.aheadMs;
  }

  #tell(event: string, data: unknown): void {
    const id = event === 'heartbeat' ? '' : `id: e-${String((this.#version += 1))}\n`;
    for (const stream of this.#streams) stream.write(`event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.requests.push({ method: request.method ?? '', path: url.pathname, headers: request.headers, body });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const refusal = [...this.refusals].find(([path]) => url.pathname.startsWith(path))?.[1];
    if (refusal) send(response, { error: { ...refusal, status: undefined } }, refusal.status);
    else if (url.pathname === '/api/events') this.#stream(response);
    else if (url.pathname.startsWith('/api/')) this.#answer(request.method ?? '', url, body, response);
    else this.#file(url.pathname, response);
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#streams.add(response);
    const data = JSON.stringify(this.#page(KEPT, 0, this.snapshotLimit));
    const isSilent = this.#heart === undefined;
    if (isSilent) response.flushHeaders();
    else response.write(`event: snapshot\nid: e-${String(this.#version)}\ndata: ${data}\n\n`);
    response.once('close', () => this.#streams.delete(response));
  }

  #page(query: OperationQuery, from: number, limit: number): OperationsAnswer {
    const all = [...this.#operations.values()].filter(
      (each) => matchesIdentity(query, each) && matchesNow(query, each),
    );
    const next = from + limit;
    const counts = { pending: 0, running: 0, completed: 0, partiallyFailed: 0, failed: 0, canceled: 0, stalled: 0 };
    const more = next < all.length ? { continue: String(next) } : {};
    return { operations: all.slice(from, next), total: all.length, counts, ...more };
  }

  #answer(method: string, url: URL, body: string, response: ServerResponse): void {
    const [first, id, last, deeper] = partsOf(url);
    const query = url.searchParams;
    if (method !== 'GET') {
      send(response, this.#change(first, id, last, body));
      return;
    }
    const known = this.#operations.get(id);
    if (first === 'blueprints' && id !== '') send(response, BLUEPRINT);
    else if (first === 'operations' && id !== '' && known) this.#one(known, last, response);
    else if (id !== '' && !known)
      send(response, { error: { code: 'notFound', message: `find operation ${id}: it is not there` } }, 404);
    else send(response, this.#answers(query)[deeper || last || first]?.() ?? {});
  }

  #answers(query: URLSearchParams): Readonly<Record<string, () => unknown>> {
    return {
      session: () => this.session,
      schedules,
      locations,
      blueprints,
      volumes: () => VOLUMES,
      files: () => (this.listing === undefined ? VOLUME_FILES : { ...VOLUME_FILES, files: [], listing: this.listing }),
      namespaces: () => ({ namespaces: ['billing', 'orders', 'search', 'shop'] }),
      contents: () => contents(query),
      item: () => ITEM,
      diff: () => DIFF,
      operations: () =>
        this.#page(queryOf(query), Number(query.get('continue') ?? 0), Number(query.get('limit') ?? 500)),
    };
  }

  #one(operation: Operation, part: string, response: ServerResponse): void {
    if (part === 'log') this.#log(response, operation.noun === 'action' ? ACTION_LOG : LOG);
    else if (part === 'samples') send(response, { samples: this.#history.of(operation) });
    else send(response, this.#tree.detail(operation.id, this.#now(), () => true) ?? detailOf(operation));
  }

  #log(response: ServerResponse, log: string): void {
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (this.isLogOpen) response.write(log);
    else response.end(log);
  }

  #change(first: string, id: string, last: string, body: string): unknown {
    const known = this.#operations.get(id);
    if (last === 'cancel' && known) this.put({ ...known, facts: { ...known.facts, isCancelAsked: true } });
    if (last === 'run') return { id: `demo.backup.velero.${id}-20261117030000`, object: {} };
    if (first === 'login') this.session = SESSION;
    if (first === 'plan') return PLANS[(JSON.parse(body) as { kind: string }).kind];
    if (['restores', 'backups', 'actionsets'].includes(first)) {
      const sent = JSON.parse(body) as { metadata: { namespace: string; name: string } };
      return { id: `demo.${first.slice(0, -1)}.${sent.metadata.namespace}.${sent.metadata.name}`, object: sent };
    }
    return { object: {} };
  }

  #file(path: string, response: ServerResponse): void {
    const file = join(this.#pageDir, normalize(path === '/' ? '/index.html' : path));
    if (!existsSync(file)) {
      send(response, { error: { code: 'notFound', message: 'no such file' } }, 404);
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  }
}

/** `/api/backups/ID/volumes/files` without its beginning; what is not there is empty. */
function partsOf(url: URL): [string, string, string, string] {
  const [, , first = '', id = '', last = '', deeper = ''] = url.pathname.split('/').map(decodeURIComponent);
  return [first, id, last, deeper];
}

function queryOf(query: URLSearchParams): OperationQuery {
  const { state, ...others } = Object.fromEntries(query);
  return { ...others, ...(state ? { state: state.split(',') } : {}) };
}

function send(response: ServerResponse, answer: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
}
