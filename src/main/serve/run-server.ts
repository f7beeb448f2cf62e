import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/index.ts';
import type { ControllerSettings } from '../../control/controllers/index.ts';
import type { MoverSettings } from '../../control/volumes/index.ts';
import type { OperationGroup } from '../../core/operations/index.ts';
import type { CredentialRules } from '../../edge/store/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { createServer, derivedKey, Metrics, type LinkedObject, type Server } from '../../server/index.ts';
import { systemClock } from '../system-clock.ts';
import { VERSION } from '../version.ts';
import { clusterPort } from './cluster-port.ts';
import { ClusterRegistry } from './cluster-registry.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import { BUILT_ENGINES } from './engines.ts';
import { giveBackAtRest } from './give-back.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { moverSettings } from './mover-settings.ts';
import type { ServedCluster } from './served-cluster.ts';
import { secretKey } from './secret-key.ts';
import { proofOf } from './proof.ts';
import { ServerRecords } from './server-records.ts';
import { startWatchdog } from './watchdog.ts';

export interface RunServerOptions {
  clusters: readonly ServedCluster[];
  namespace: string;
  host: string;
  port: number;
  hosts?: readonly string[];
  tls?: { cert: string; key: string };
  /** For stores in directories; without it there are none. */
  fsRoot?: string | undefined;
  /** What locations may use of this machine; nothing by default. */
  credentials?: CredentialRules;
  pageDir: string;
  /** Which engines are to run; all that there are if absent, none to only look. */
  engines?: readonly OperationGroup[];
  forceBesideVelero: boolean;
  /** Begin with a new key, which ends all sessions and links. */
  rotateKeys?: boolean;
  settings: Omit<ControllerSettings, 'download'>;
  /** How volumes are copied; the defaults of `headway server` if absent. */
  movers?: MoverSettings;
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
  const registry = new ClusterRegistry(
    served.map(({ cluster, plane }) => ({ name: cluster.name, plane })),
    { log: deps.log, clock: systemClock, random: Math.random },
  );
  const ports = served.map(({ cluster, plane }) => ({
    ...clusterPort(cluster, plane, options.namespace),
    problem: () => registry.problemOf(cluster.name) ?? plane.silence(),
  }));
  const key = secretKey(join(directory, 'key'), { renew: options.rotateKeys === true });
  const id = randomUUID();
  const proofKey = derivedKey(key, `record ${id}`);
  const server = createServer(
    {
      host: options.host,
      port: options.port,
      hosts: options.hosts ?? [],
      ...(options.tls === undefined ? {} : { tls: options.tls }),
      pageDir: options.pageDir,
      spoolDir,
      version: VERSION,
      key,
      prove: (nonce) => proofOf(proofKey, nonce),
      endedSessionsFile: join(directory, 'ended-sessions.json'),
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
  const record = new ServerRecords(deps.home).add(id, {
    url,
    clusters: options.clusters.map(({ name }) => name),
    proofKey,
    startedAt: new Date().toISOString(),
  });
  const measuring = measureLoopDelay(metrics);
  const givingBack = giveBackAtRest();
  const watchdog = startWatchdog({ log: deps.log, version: VERSION });
  const ended = registry.run(signal).finally(async () => {
    record[Symbol.dispose]();
    await server.close();
    measuring[Symbol.dispose]();
    givingBack[Symbol.dispose]();
    await watchdog[Symbol.asyncDispose]();
  });
  const { ready } = registry;
  // Whoever waits for them hears of it; until then it is no unhandled rejection, also of one that is told to stop at once.
  for (const each of [ended, ready]) each.catch(() => undefined);
  return { url, loginLink: () => server.loginLink(), ready, ended };
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
    fsRoot: options.fsRoot,
    credentials: options.credentials ?? {},
    env: deps.env,
    log: deps.log.child({ cluster: cluster.name }),
    metrics: deps.metrics.forCluster(cluster.name),
    settings: {
      ...options.settings,
      download: {
        linkTo: ({ request, of, location, key, seconds }) =>
          deps.linkTo({ cluster: cluster.name, request: known(request), of: known(of), location, key }, seconds),
      },
    },
    movers: options.movers ?? moverSettings({}),
    engines: options.engines ?? BUILT_ENGINES,
    forceBesideVelero: options.forceBesideVelero,
  });
}

/** This very object, and no later one of the same name. */
function known({ kind, metadata }: KubeObject): LinkedObject {
  return { kind, name: metadata.name, uid: metadata.uid ?? '' };
}
