import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf, type Log } from '../../base/index.ts';
import type { ServeOptions } from '../../cli/index.ts';
import { connectionAs, createKubeClient, type Connection } from '../../edge/kube/index.ts';
import { findConnection, type Machine } from '../connect.ts';
import { builtPage, pagePath } from '../built/page.ts';
import { pinoLog } from '../pino-log.ts';
import { systemClock } from '../system-clock.ts';
import { ROOT } from '../root.ts';
import { SERVER_VERSION, VERSION } from '../version.ts';
import { credentialRules } from './credential-rules.ts';
import { parseEngines } from './engines.ts';
import { parseListen } from './listen-address.ts';
import { moverSettings } from './mover-settings.ts';
import { runServer } from './run-server.ts';
import type { ServedCluster } from './served-cluster.ts';

/** What a server in a pod calls its cluster. */
const IN_CLUSTER = 'in-cluster';

/** `headway server`: the production process. Its log goes to standard error, one JSON line each. */
export async function serve(
  options: ServeOptions,
  { signal, ...machine }: Machine & { signal: AbortSignal },
): Promise<void> {
  const { home, env } = machine;
  const log = pinoLog({ version: VERSION }, options.logLevel);
  // Whatever else is to be silent: who changed what is told.
  const audit = pinoLog({ version: VERSION });
  const credentials = credentialRules(options, home);
  const engines = parseEngines(options.engines);
  const clusters = await connectAll(options, machine);
  try {
    const tls = await readTls(options);
    const running = await runServer(
      {
        clusters,
        namespace: options.namespace,
        ...parseListen(options.listen),
        hosts: options.allowedHosts,
        ...(tls === undefined ? {} : { tls }),
        fsRoot: options.fsRoot ?? ownStores(clusters, home),
        credentials,
        pageDir: pagePath(ROOT),
        engines,
        forceBesideVelero: options.forceBesideVelero,
        rotateKeys: options.rotateKeys,
        settings: {
          backup: {
            concurrentBackups: options.concurrentBackups,
            defaults: { defaultVolumesToFsBackup: options.defaultVolumesToFsBackup },
          },
          restore: { concurrent: options.concurrentRestores },
          serverStatus: { serverVersion: SERVER_VERSION },
        },
        movers: moverSettings(options),
      },
      { home, directory: join(home, 'server'), env, log, audit },
      signal,
    );
    log.info('serving', { url: running.url, clusters: clusters.map(({ name }) => name) });
    builtPage({ root: ROOT, signal }).catch((error: unknown) => {
      if (!signal.aborted) log.warn('page not built', { err: messageOf(error) });
    });
    await running.ended;
    log.info('stopped');
  } finally {
    await Promise.all(clusters.map(({ kube }) => kube.close()));
  }
}

/** What a pod keeps goes with the pod, and a backup must not: there, stores in directories have to be asked for. */
function ownStores(clusters: readonly ServedCluster[], home: string): string | undefined {
  return clusters.some(({ name }) => name === IN_CLUSTER) ? undefined : join(home, 'stores');
}

/** Every context that was named; the current one, or the pod's own cluster, where none was. */
async function connectAll(options: ServeOptions, machine: Machine): Promise<ServedCluster[]> {
  const { kubeconfig } = options;
  const contexts = options.contexts.length === 0 ? [undefined] : [...new Set(options.contexts)];
  return await Promise.all(
    contexts.map(async (context) => {
      const choice = {
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(context === undefined ? {} : { context }),
      };
      const connection = await findConnection(choice, machine);
      return servedCluster(connection, 'token');
    }),
  );
}

export function servedCluster(
  connection: Connection,
  login: ServedCluster['login'],
  log: Log = pinoLog({ component: 'kube' }, 'warn'),
): ServedCluster {
  const client = (to: Connection) =>
    createKubeClient({ clock: systemClock, random: Math.random, log, userAgent: `headway/${VERSION}` }, to);
  const name = connection.context ?? IN_CLUSTER;
  return {
    name,
    kube: client(connection),
    as: (token) => client(connectionAs(connection, token, `cluster ${JSON.stringify(name)}`)),
    login,
  };
}

async function readTls({ tlsCert, tlsKey }: ServeOptions): Promise<{ cert: string; key: string } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new AppError('usage', '--tls-cert and --tls-key belong together: give both, or none');
  }
  const [cert, key] = await Promise.all([readFile(tlsCert, 'utf8'), readFile(tlsKey, 'utf8')]);
  return { cert, key };
}
