import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/index.ts';
import type { ControllerSettings } from '../../control/controllers/index.ts';
import { createServer, Metrics, type Server } from '../../server/index.ts';
import { systemClock } from '../system-clock.ts';
import { VERSION } from '../version.ts';
import { clusterPort } from './cluster-port.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import type { ServedCluster } from './served-cluster.ts';
import { secretKey } from './secret-key.ts';
import { ServerRecord } from './server-record.ts';

export interface RunServerOptions {
  clusters: readonly ServedCluster[];
  namespace: string;
  host: string;
  port: number;
  hosts?: readonly string[];
  tls?: { cert: string; key: string };
  fsRoot?: string | undefined;
  pageDir: string;
  forceBesideVelero: boolean;
  settings: Omit<ControllerSettings, 'download'>;
}

export interface RunServerDeps {
  /** Where the commands of this machine look for a server. */
  home: string;
  /** For the server's own files. */
  directory: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** For who changed what; the log when absent. */
  audit?: Log;
  /** A link that was given out is used up. */
  onLinkUsed?: () => void;
}

export interface RunningServer {
  url: string;
  /** A link for one person, once; only for clusters that log in that way. */
  loginLink(): string;
  /** The controllers of every cluster have begun to watch. */
  ready: Promise<void>;
  /** Resolves when the signal is aborted and everything has stopped; throws when something is in the way. */
  ended: Promise<void>;
}

/** Controllers, HTTP server and page for every cluster given, until the signal is aborted. */
export async function runServer(
  options: RunServerOptions,
  deps: RunServerDeps,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { directory } = deps;
  const spoolDir = join(directory, 'spool');
  rmSync(spoolDir, { recursive: true, force: true });
  mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
  const metrics = new Metrics();
  const linkTo: Server['linkTo'] = (...to) => server.linkTo(...to);
  const served = options.clusters.map((cluster) => ({
    cluster,
    plane: planeOf(cluster, options, { ...deps, metrics, linkTo }),
  }));
  const planes = served.map(({ plane }) => plane);
  const ports = served.map(({ cluster, plane }) => clusterPort(cluster, plane, options.namespace));
  const server = createServer(
    {
      host: options.host,
      port: options.port,
      hosts: options.hosts ?? [],
      ...(options.tls === undefined ? {} : { tls: options.tls }),
      pageDir: options.pageDir,
      spoolDir,
      version: VERSION,
      key: secretKey(join(directory, 'key')),
    },
    {
      clusters: ports,
      clock: systemClock,
      log: deps.log.child({ component: 'server' }),
      audit: (deps.audit ?? deps.log).child({ component: 'server' }),
      metrics,
      onLinkUsed: deps.onLinkUsed,
    },
  );
  const { url } = await server.listen();
  const record = new ServerRecord(deps.home);
  record.write(url);
  const ended = runAll(planes, signal).finally(async () => {
    record.clear(url);
    await server.close();
  });
  // Whoever waits for it hears of it; until then it is no unhandled rejection.
  ended.catch(() => undefined);
  return {
    url,
    loginLink: () => server.loginLink(),
    ready: Promise.all(planes.map((plane) => plane.ready)).then(() => undefined),
    ended,
  };
}

function planeOf(
  cluster: ServedCluster,
  options: RunServerOptions,
  deps: RunServerDeps & { metrics: Metrics; linkTo: Server['linkTo'] },
): ControlPlane {
  return controlPlane({
    kube: cluster.kube,
    namespace: options.namespace,
    directory: join(deps.directory, 'clusters', encodeURIComponent(cluster.name)),
    fsRoot: options.fsRoot ?? join(deps.home, 'stores'),
    env: deps.env,
    log: deps.log.child({ cluster: cluster.name }),
    metrics: deps.metrics.forCluster(cluster.name),
    settings: {
      ...options.settings,
      download: { linkTo: (location, key, seconds) => deps.linkTo(cluster.name, location, key, seconds) },
    },
    forceBesideVelero: options.forceBesideVelero,
  });
}

/** What is in the way on one cluster ends the work on all: somebody must look at it. */
async function runAll(planes: readonly ControlPlane[], signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const runs = planes.map(async (plane) => {
    try {
      await plane.run(stop);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const results = await Promise.allSettled(runs);
  const problem = results.find((result) => result.status === 'rejected');
  if (problem !== undefined) throw problem.reason;
}
