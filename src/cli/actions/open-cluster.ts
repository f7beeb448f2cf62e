import { AppError, isAppError, textAt, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { clusterOf, clustersOf, type PlaceFlags } from '../flags/connection.ts';
import { nounOf, type Place } from '../objects/kinds.ts';
import type { CliDeps, ClusterSession } from '../ports.ts';

/** What the actions on one cluster share. */
export interface Scope extends Place {
  deps: CliDeps;
  kube: KubeClient;
  cluster: string;
  /** The namespace of the kubeconfig's context. */
  home?: string;
}

const BACKUPS_IN = 'velero';

/** Opens the cluster for the length of the action. */
export async function withKube<T>(deps: CliDeps, flags: PlaceFlags, action: (scope: Scope) => Promise<T>): Promise<T> {
  await using session = await deps.connect(clusterOf(flags));
  try {
    return await action(scopeOf(deps, flags, session));
  } catch (error) {
    throw explainUnreachable(error, [session.name], deps.programName);
  }
}

/** Opens every cluster that the flags name, for the length of the action. */
export async function withKubes<T>(
  deps: CliDeps,
  flags: PlaceFlags,
  action: (scopes: readonly Scope[]) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const sessions: ClusterSession[] = [];
  for (const choice of clustersOf(flags)) sessions.push(stack.use(await deps.connect(choice)));
  try {
    return await action(sessions.map((session) => scopeOf(deps, flags, session)));
  } catch (error) {
    throw explainUnreachable(
      error,
      sessions.map(({ name }) => name),
      deps.programName,
    );
  }
}

function scopeOf(deps: CliDeps, { namespace, allNamespaces }: PlaceFlags, session: ClusterSession): Scope {
  return {
    deps,
    kube: session.kube,
    cluster: session.name,
    namespace: namespace ?? BACKUPS_IN,
    ...(namespace === undefined ? {} : { isOnly: true }),
    ...(allNamespaces === true ? { allNamespaces } : {}),
    ...(session.namespace === undefined ? {} : { home: session.namespace }),
  };
}

/** What can be done about a cluster that does not answer; one of our own can be started. */
function explainUnreachable(error: unknown, contexts: readonly string[], programName: string): unknown {
  if (!isAppError(error, 'unreachable') || error.details?.['hint'] !== undefined) return error;
  const pockets = contexts.map((context) => /^pocket-(.+)$/.exec(context)?.[1]);
  const [pocket] = pockets;
  const hint =
    pocket === undefined || pockets.length > 1
      ? 'Is it running, and is it the right one? Choose another with: --context NAME'
      : `Start it with: ${programName} pocket up ${pocket}`;
  return new AppError('unreachable', error.message, { cause: error, details: { ...error.details, hint } });
}

/** One of a kind that is in the namespace of the backups. */
export async function getNamed(scope: Scope, type: ResourceType, name: string): Promise<KubeObject> {
  const { deps, kube, namespace } = scope;
  try {
    return await kube.get({ type, namespace, name }, { signal: deps.signal });
  } catch (error) {
    throw explainMissing(error, scope, { type, name });
  }
}

export async function listAll(scope: Scope, type: ResourceType, labelSelector?: string): Promise<KubeObject[]> {
  const { deps, kube, namespace } = scope;
  const options = { signal: deps.signal, ...(labelSelector === undefined ? {} : { labelSelector }) };
  let items: KubeObject[] = [];
  try {
    for await (const page of kube.list({ type, namespace }, options)) {
      items = [...(page.restarted ? [] : items), ...page.items];
    }
  } catch (error) {
    throw explainMissing(error, scope, { type });
  }
  return items;
}

/** A missing object and a missing kind are both 404; people need to know which, and what to do about it. */
export function explainMissing(
  error: unknown,
  { deps, namespace }: Scope,
  { type, name }: { type: ResourceType; name?: string },
): unknown {
  if (!isAppError(error, 'notFound')) return error;
  const noun = nounOf(type.kind);
  if (name === undefined || !isAboutObject(error, name)) {
    return new AppError(
      'notFound',
      `Headway is not installed in this cluster: it has no ${type.plural}.${type.group}`,
      {
        cause: error,
        details: { hint: `Install it with: ${deps.programName} install` },
      },
    );
  }
  return new AppError('notFound', `there is no ${noun} "${name}" in namespace ${namespace}`, {
    cause: error,
    details: { hint: `List what there is with: ${deps.programName} ${noun} get` },
  });
}

/** The server names the object in its Status' details only when the kind exists. */
export function isAboutObject(error: AppError, name: string): boolean {
  return textAt(error.details as JsonObject | undefined, 'status', 'details', 'name') === name;
}
