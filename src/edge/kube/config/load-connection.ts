import { delimiter, join, resolve } from 'node:path';
import { AppError, type Clock } from '../../../base/index.ts';
import { readCluster } from './cluster.ts';
import type { Connection } from './connection.ts';
import { inClusterConnection, isInCluster } from './in-cluster.ts';
import { mergeKubeconfigs, readKubeconfigFile, type Entry, type Kubeconfig } from './kubeconfig-file.ts';
import { proxyFromEnvironment, type Environment } from './proxy.ts';
import { readUser } from './user.ts';

export interface ConfigDeps {
  clock: Clock;
  /** Read by the composition root: KUBECONFIG, KUBERNETES_SERVICE_*, proxies. Plugins inherit it. */
  env: Environment;
  homeDir: string;
}

export interface ConnectionChoice {
  /** A file that must exist; used instead of KUBECONFIG and ~/.kube/config. */
  kubeconfig?: string;
  /** Used instead of the current-context. */
  context?: string;
}

/**
 * Uses the file named by the caller, else those of KUBECONFIG, else ~/.kube/config, else the pod's service account.
 * Everything wrong with it is an `invalidConfig` error that names the file, the entry and the cause.
 */
export async function loadConnection(deps: ConfigDeps, choice: ConnectionChoice = {}): Promise<Connection> {
  const kubeconfig = await readFiles(deps, choice);
  if (kubeconfig !== undefined) return resolveContext(deps, kubeconfig, choice.context);
  if (choice.context === undefined && isInCluster(deps.env)) return inClusterConnection(deps);
  const looked = candidates(deps, choice).join(', ');
  throw new AppError('invalidConfig', `no kubeconfig found (looked for ${looked}) and not running in a pod`, {
    details: { isMissing: true },
  });
}

/** The context names to choose from, in the order of the files; empty when there is no kubeconfig. */
export async function listContexts(deps: ConfigDeps, choice: ConnectionChoice = {}): Promise<string[]> {
  return [...((await readFiles(deps, choice))?.contexts.keys() ?? [])];
}

function candidates(deps: ConfigDeps, choice: ConnectionChoice): string[] {
  if (choice.kubeconfig !== undefined) return [resolve(choice.kubeconfig)];
  const listed = (deps.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? listed.map((file) => resolve(file)) : [join(deps.homeDir, '.kube', 'config')];
}

async function readFiles(deps: ConfigDeps, choice: ConnectionChoice): Promise<Kubeconfig | undefined> {
  const read = await Promise.all(candidates(deps, choice).map(readKubeconfigFile));
  const found = read.filter((config) => config !== undefined);
  if (found.length > 0) return mergeKubeconfigs(found);
  // A missing file in KUBECONFIG is skipped, as kubectl does; a missing file that was requested by name is an error.
  if (choice.kubeconfig === undefined) return undefined;
  throw new AppError('invalidConfig', `cannot read kubeconfig ${choice.kubeconfig}: there is no such file`);
}

async function resolveContext(
  deps: ConfigDeps,
  kubeconfig: Kubeconfig,
  wanted: string | undefined,
): Promise<Connection> {
  const files = kubeconfig.files.join(', ');
  const name = wanted ?? kubeconfig.currentContext;
  if (name === undefined) {
    throw new AppError('invalidConfig', `kubeconfig ${files} has no current-context and no context was named`);
  }
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) {
    const known = [...kubeconfig.contexts.keys()].join(', ');
    const which = wanted === undefined ? 'current-context' : 'context';
    throw new AppError(
      'invalidConfig',
      `kubeconfig ${files} has no ${which} "${name}", only: ${known === '' ? 'none' : known}`,
    );
  }
  const label = `context "${name}" of ${context.file}`;
  const cluster = pick(kubeconfig.clusters, { context, what: 'cluster', label });
  const { server, tls, proxy, compress } = await readCluster(cluster, label);
  const chosenProxy = proxy ?? proxyFromEnvironment(new URL(server), deps.env);
  // `kubectl config set-context` without a user writes an empty one.
  const isAnonymous = context.fields.text('user') === undefined;
  const user = isAnonymous ? undefined : pick(kubeconfig.users, { context, what: 'user', label });
  const identity = await readUser(deps, user, { label, server, tls });
  return {
    label,
    context: name,
    server,
    namespace: context.fields.text('namespace') ?? 'default',
    tls: { ...tls, ...identity.tls },
    credentials: identity.credentials,
    headers: identity.headers,
    ...(chosenProxy === undefined ? {} : { proxy: chosenProxy }),
    ...(compress === undefined ? {} : { compress }),
  };
}

function pick(
  entries: ReadonlyMap<string, Entry>,
  from: { context: Entry; what: 'cluster' | 'user'; label: string },
): Entry {
  const name = from.context.fields.text(from.what);
  if (name === undefined) throw new AppError('invalidConfig', `${from.label} names no ${from.what}`);
  const entry = entries.get(name);
  if (entry === undefined) {
    throw new AppError('invalidConfig', `${from.label} names the ${from.what} "${name}", which is in no file`);
  }
  return entry;
}
