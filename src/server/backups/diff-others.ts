import { isAppError, messageOf, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import type { Archive } from '../../edge/archive/index.ts';
import type { ApiResource, KubeClient } from '../../edge/kube/index.ts';
import type { Planner } from '../ports.ts';
import type { Other } from './diff.ts';
import { groupResourceOf } from '../../core/selection/index.ts';

const MAX_PROBLEMS = 50;

export function otherBackup(name: string, archive: Archive): Other {
  return {
    name,
    read: async (key) => (archive.has(key) ? await archive.read(key) : undefined),
    others: async function* (isKnown) {
      for await (const key of archive.entries()) if (!isKnown(key)) yield key;
    },
    problems: () => archive.problems.slice(0, MAX_PROBLEMS).map(({ error }) => error.message),
  };
}

export interface LiveDeps {
  /** With the rights of the caller. */
  kube: KubeClient;
  /** What the same backup would hold now. */
  itemsNow: () => ReturnType<Planner['items']>;
}

/** The cluster as the caller may read it. Of what it holds besides, that is added which the same backup would take today. */
export async function liveCluster({ kube, itemsNow }: LiveDeps, signal: AbortSignal): Promise<Other> {
  const { resources } = await kube.discover({ signal });
  const types = new Map<string, ApiResource>();
  for (const type of resources) {
    const key = groupResourceOf(type);
    if (!types.has(key) || type.preferred) types.set(key, type);
  }
  const problems = new Set<string>();
  return {
    name: 'cluster',
    read: (key) => readLive(kube, types.get(key.groupResource), key, { problems, signal }),
    others: async function* (isKnown) {
      const now = await itemsNow();
      for await (const key of now.keys) if (!isKnown(key)) yield key;
      for (const problem of now.problems().slice(0, MAX_PROBLEMS))
        problems.add(`not all that was added is known: ${problem}`);
    },
    problems: () => [...problems],
  };
}

async function readLive(
  kube: KubeClient,
  type: ApiResource | undefined,
  { groupResource, namespace, name }: ItemKey,
  { problems, signal }: { problems: Set<string>; signal: AbortSignal },
): Promise<JsonObject | 'unreadable' | undefined> {
  if (type === undefined) {
    problems.add(`the cluster does not serve ${groupResource}`);
    return undefined;
  }
  try {
    return await kube.get({ type, ...(namespace === undefined ? {} : { namespace }), name }, { signal });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    if (!isAppError(error, 'forbidden')) throw error;
    if (problems.size < MAX_PROBLEMS) problems.add(`${groupResource} cannot be compared: ${messageOf(error)}`);
    return 'unreadable';
  }
}
