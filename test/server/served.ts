import { mkdtempSync, rmSync } from 'node:fs';
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATION_NAMESPACE } from '../../src/api/index.ts';
import { NO_LOG, type Clock, type Log } from '../../src/base/index.ts';
import { watchKinds } from '../../src/control/controllers/caches.ts';
import { LocationStores } from '../../src/control/controllers/stores/index.ts';
import { GROUPS } from '../../src/core/operations/index.ts';
import { connectionAs, createKubeClient, loadConnection, type KubeClient } from '../../src/edge/kube/index.ts';
import { absenceOf } from '../../src/main/serve/definitions.ts';
import { SeenGroups } from '../../src/main/serve/seen-groups.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import {
  createServer,
  Metrics,
  type ClusterPort,
  type Planner,
  type Server,
  type ServerOptions,
} from '../../src/server/index.ts';

const NAMESPACE = 'velero';
const NAMESPACES = { velero: NAMESPACE, migration: MIGRATION_NAMESPACE };

/** A planner for servers whose dry runs are not looked at. */
const NO_PLANNER: Planner = {
  plans: {},
  selections: {},
  items: () => Promise.reject(new Error('not planned here')),
  verify: () => Promise.reject(new Error('not verified here')),
  listVolume: () => Promise.reject(new Error('not listed here')),
};

export interface ServedCluster {
  name: string;
  kubeconfig: string;
  login: 'token' | 'link';
  fsRoot?: string;
  logs?: Partial<ClusterPort['logs']>;
  unseenSince?: ClusterPort['unseenSince'];
  planner?: Partial<Planner>;
  /** Where users' tokens are looked at instead of in the cluster. */
  usersAt?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
}

export interface Ask {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

/** A real server on a free port over real clusters, as the composition root puts it together, without controllers. */
export class Served implements AsyncDisposable {
  readonly server: Server;
  readonly metrics: Metrics;
  url = '';
  readonly #closers: (() => unknown)[];

  private constructor(server: Server, metrics: Metrics, closers: (() => unknown)[]) {
    this.server = server;
    this.metrics = metrics;
    this.#closers = closers;
  }

  static async start(
    clusters: readonly ServedCluster[],
    options: Partial<ServerOptions> = {},
    log: Log = NO_LOG,
    clock: Clock = systemClock,
  ): Promise<Served> {
    const closers: (() => unknown)[] = [];
    const ports = await Promise.all(clusters.map((cluster) => clusterPort(cluster, closers)));
    const spoolDir = mkdtempSync(join(tmpdir(), 'headway-server-'));
    closers.push(() => {
      rmSync(spoolDir, { recursive: true, force: true });
    });
    const metrics = new Metrics();
    try {
      const server = createServer(
        {
          host: '127.0.0.1',
          port: 0,
          spoolDir,
          version: '0.0.0-test',
          key: new Uint8Array(32).fill(7),
          endedSessionsFile: join(spoolDir, 'ended-sessions.json'),
          ...options,
        },
        { clusters: ports, clock, log, audit: log, metrics },
      );
      const served = new Served(server, metrics, closers);
      served.url = (await server.listen()).url;
      return served;
    } catch (error) {
      for (const close of closers.toReversed()) await close();
      throw error;
    }
  }

  async ask(path: string, ask: Ask = {}): Promise<Answer> {
    const response = await this.open(path, ask);
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.statusCode ?? 0, headers: response.headers, text, json };
  }

  /** The answer as soon as its headers are there. Plain node:http, which sends any header as it is told. */
  open(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<IncomingMessage> {
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const json =
      sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, path, method, headers: { ...json, ...headers }, agent: false },
        resolve,
      );
      request.on('error', reject);
      request.end(sent);
    });
  }

  /** Logs in with a fresh link: what a browser sends from then on. */
  async byLink(): Promise<{ cookie: string; 'x-csrf-token': string }> {
    const link = new URL(this.server.loginLink());
    const { headers } = await this.ask(link.pathname + link.search);
    return await this.browser(headers);
  }

  async browser(headers: IncomingHttpHeaders): Promise<{ cookie: string; 'x-csrf-token': string }> {
    const cookie = (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
    const { json } = await this.ask('/api/session', { headers: { cookie } });
    return { cookie, 'x-csrf-token': String(json['csrf']) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    for (const close of this.#closers.toReversed()) await close();
  }
}

async function clusterPort(cluster: ServedCluster, closers: (() => unknown)[]): Promise<ClusterPort> {
  const config = { clock: systemClock, env: {}, homeDir: tmpdir() };
  const connection = await loadConnection(config, { kubeconfig: cluster.kubeconfig });
  const client = (to = connection): KubeClient =>
    createKubeClient({ clock: systemClock, log: NO_LOG, random: Math.random, userAgent: 'headway-test' }, to);
  const kube = client();
  const runtime = { kube, clock: systemClock, log: NO_LOG, random: Math.random };
  const { reflectors, kinds } = watchKinds(NAMESPACES, runtime, {
    absence: (type, signal) => absenceOf(kube, type, signal),
  });
  const life = new AbortController();
  const running = reflectors.map((reflector) => reflector.run(life.signal));
  await Promise.all(reflectors.map(({ ready }) => ready));
  const stores = new LocationStores({
    kube,
    namespace: NAMESPACE,
    store: { log: NO_LOG, ...(cluster.fsRoot === undefined ? {} : { fsRoot: cluster.fsRoot }) },
  });
  closers.push(async () => {
    life.abort(new Error('the test is over'));
    await Promise.all(running);
    stores.close();
    await kube.close();
  });
  return {
    name: cluster.name,
    namespace: NAMESPACE,
    namespaces: NAMESPACES,
    login: cluster.login,
    kube,
    as: (token) => {
      const as = connectionAs(connection, token, `cluster ${JSON.stringify(cluster.name)}`);
      return client({ ...as, server: cluster.usersAt ?? connection.server });
    },
    source: ({ plural }) => kinds.find(({ type }) => type.plural === plural)?.reflector.cache,
    groups: () =>
      GROUPS.map((name) => ({ ...new SeenGroups(kinds, NO_LOG).of(name), engine: { state: 'notChosen' as const } })),
    isReady: () => true,
    unseenSince: cluster.unseenSince ?? (() => undefined),
    stores,
    logs: { tail: () => undefined, endOf: () => Promise.resolve(undefined), ...cluster.logs },
    planner: { ...NO_PLANNER, ...cluster.planner },
  };
}
