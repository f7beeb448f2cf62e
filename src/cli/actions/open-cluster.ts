import { AppError, isAppError, textAt, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeClient, KubeObject, Target } from '../../edge/kube/index.ts';
import { clusterOf, type ConnectionFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';

/** What the actions on one cluster share. */
export interface Scope {
  deps: CliDeps;
  kube: KubeClient;
  cluster: string;
  namespace: string;
  /** Set by `--all-namespaces`, for commands that list. */
  allNamespaces?: true;
}

/** Opens the cluster for the length of the action. */
export async function withKube<T>(
  deps: CliDeps,
  flags: ConnectionFlags & { allNamespaces?: true },
  action: (scope: Scope) => Promise<T>,
): Promise<T> {
  await using session = await deps.connect(clusterOf(flags));
  try {
    return await action({
      deps,
      kube: session.kube,
      cluster: session.name,
      namespace: flags.namespace,
      ...(flags.allNamespaces === true ? { allNamespaces: true } : {}),
    });
  } catch (error) {
    throw explainUnreachable(error, session.name, deps.programName);
  }
}

/** What can be done about a cluster that does not answer; one of our own can be started. */
function explainUnreachable(error: unknown, context: string, programName: string): unknown {
  if (!isAppError(error, 'unreachable') || error.details?.['hint'] !== undefined) return error;
  const [, pocket] = /^pocket-(.+)$/.exec(context) ?? [];
  const hint =
    pocket === undefined
      ? 'Is it running, and is it the right one? Choose another with: --context NAME'
      : `Start it with: ${programName} pocket up ${pocket}`;
  return new AppError('unreachable', error.message, { cause: error, details: { ...error.details, hint } });
}

const NOUNS: Readonly<Record<string, string>> = {
  Backup: 'backup',
  Restore: 'restore',
  Schedule: 'schedule',
  BackupStorageLocation: 'location',
};

/** The word of the command line for a kind. */
export function nounOf(kind: string): string {
  return NOUNS[kind] ?? kind.toLowerCase();
}

export async function getNamed(scope: Scope, type: ResourceType, name: string): Promise<KubeObject> {
  const { deps, kube, namespace } = scope;
  try {
    return await kube.get({ type, namespace, name }, { signal: deps.signal });
  } catch (error) {
    throw explainMissing(error, scope, { type, name });
  }
}

/** Those that are there; and an error about the names that are not, for after the others were shown. */
export async function getSeveral(
  scope: Scope,
  type: ResourceType,
  names: readonly string[],
): Promise<{ objects: KubeObject[]; missing?: AppError }> {
  const objects: KubeObject[] = [];
  const missing: AppError[] = [];
  for (const name of names) {
    try {
      objects.push(await getNamed(scope, type, name));
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      missing.push(error);
    }
  }
  const [first] = missing;
  if (first === undefined) return { objects };
  const message = [...new Set(missing.map((each) => each.message))].join('\n');
  return { objects, missing: new AppError('notFound', message, { cause: first, details: { ...first.details } }) };
}

/** What is listed and watched: one namespace, or all. */
export function targetOf({ namespace, allNamespaces }: Scope, type: ResourceType): Target {
  return allNamespaces === true ? { type } : { type, namespace };
}

export async function listAll(scope: Scope, type: ResourceType, labelSelector?: string): Promise<KubeObject[]> {
  const { deps, kube } = scope;
  const options = { signal: deps.signal, ...(labelSelector === undefined ? {} : { labelSelector }) };
  let items: KubeObject[] = [];
  try {
    for await (const page of kube.list(targetOf(scope, type), options)) {
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
function isAboutObject(error: AppError, name: string): boolean {
  return textAt(error.details as JsonObject | undefined, 'status', 'details', 'name') === name;
}
