import { createHash } from 'node:crypto';
import { AppError, isAppError, objectAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import { BackupStorageLocation, DownloadRequest, Schedule, type ResourceType } from '../../api/index.ts';
import { ADAPTERS } from '../../core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { placeOf } from '../places.ts';
import type { ClusterPort } from '../ports.ts';

/** What one user may see of one cluster, as the cluster itself said. */
export interface Rights {
  user: { name: string; groups: string[] };
  /** Whether objects of a kind may be listed and watched there. */
  maySee(type: ResourceType, namespace: string): boolean;
  /** Whether any operation at all may be seen. */
  seesOperations: boolean;
  /** Whether files of backups and restores may be read: contents, logs, results. */
  mayDownload: boolean;
  /** Whether the server's numbers may be read, as for any other program of the cluster. */
  mayScrape: boolean;
  /**
   * The namespaces that were asked about, for a user who may not see all of them; what is in others is not shown. Absent
   * when there is nothing more to ask: all may be seen, or there are too many.
   */
  asked?: ReadonlySet<string>;
  /** Equal for users who may see the same. */
  fingerprint: string;
}

/** What is watched on behalf of users, besides operations. */
const OTHERS: readonly ResourceType[] = [Schedule, BackupStorageLocation];
const DEADLINE_MS = 10_000;
/** More namespaces with action sets are not asked about: that many questions for one user are many for a cluster. */
const MAX_NAMESPACES = 500;
const AT_ONCE = 16;

const review = (group: string, kind: string): ResourceType => ({
  group,
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});
const WHO_AM_I = review('authentication.k8s.io', 'SelfSubjectReview');
const MAY_I = review('authorization.k8s.io', 'SelfSubjectAccessReview');

/**
 * Asks the cluster in the user's own name who they are and what they may see, so that the server needs no right to ask
 * about others, and a token that the cluster no longer takes is noticed by the same question. `places` are the
 * namespaces with operations of kinds that may be anywhere.
 */
export async function askRights(kube: KubeClient, cluster: ClusterPort, places: Iterable<string>): Promise<Rights> {
  try {
    // First, and alone: a token that is not taken costs the cluster one question instead of all of them.
    const user = await whoAmI(kube);
    return await rightsOf(user, { kube, cluster, places: [...places] });
  } catch (error) {
    throw inOurWords(error, cluster.name);
  }
}

interface Asking {
  kube: KubeClient;
  cluster: ClusterPort;
  places: readonly string[];
}

async function rightsOf(user: Rights['user'], { kube, cluster, places }: Asking): Promise<Rights> {
  const may = (verb: string, { group, version, plural }: ResourceType, namespace: string): Promise<boolean> =>
    mayI(kube, { resourceAttributes: { verb, group, version, resource: plural, namespace } });
  const maySee = async (type: ResourceType, namespace: string): Promise<boolean> =>
    (await may('list', type, namespace)) && (await may('watch', type, namespace));
  const inPlace = [
    ...ADAPTERS.map((adapter) => ({ type: adapter.type, namespace: placeOf(adapter, cluster) ?? ALL })),
    ...OTHERS.map((type) => ({ type, namespace: cluster.namespace })),
  ];
  const [mayDownload, mayScrape, ...seen] = await Promise.all([
    may('create', DownloadRequest, cluster.namespace),
    mayI(kube, { nonResourceAttributes: { verb: 'get', path: '/metrics' } }),
    ...inPlace.map(async ({ type, namespace }) => ((await maySee(type, namespace)) ? [keyOf(type, namespace)] : [])),
  ]);
  const allowed = new Set(seen.flat());
  // Who may not list a kind in all namespaces may do so in some.
  const partly = ADAPTERS.filter(({ type, scope }) => scope === 'all' && !allowed.has(keyOf(type, ALL)));
  const asked = new Set([...ownNamespace(user), ...places].slice(0, MAX_NAMESPACES));
  const questions = partly.flatMap(({ type }) => [...asked].map((namespace) => ({ type, namespace })));
  await inTurns(questions, async ({ type, namespace }) => {
    if (await maySee(type, namespace)) allowed.add(keyOf(type, namespace));
  });
  const canSee = (type: ResourceType, namespace: string): boolean =>
    allowed.has(keyOf(type, namespace)) || allowed.has(keyOf(type, ALL));
  return {
    user,
    mayDownload,
    mayScrape,
    maySee: canSee,
    seesOperations: ADAPTERS.some(({ type }) => [...allowed].some((key) => key.startsWith(keyOf(type, '')))),
    ...(partly.length === 0 || asked.size >= MAX_NAMESPACES ? {} : { asked }),
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...allowed].toSorted()))
      .digest('base64url'),
  };
}

/** Of a question about all namespaces, which no namespace is called. */
const ALL = '';

function keyOf({ group, plural }: ResourceType, namespace: string): string {
  return `${group}/${plural}/${namespace}`;
}

/** A service account belongs to a namespace, where it is likely to have rights before anything is there. */
function ownNamespace({ name }: Rights['user']): string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(name) ?? [];
  return namespace === undefined ? [] : [namespace];
}

/** A few at a time. */
async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

async function whoAmI(kube: KubeClient): Promise<Rights['user']> {
  const status = await ask(kube, WHO_AM_I, {});
  const groups = valueAt(status, 'userInfo', 'groups');
  const name = textAt(status, 'userInfo', 'username');
  if (name === undefined || name === 'system:anonymous') {
    throw new AppError('unauthenticated', 'the cluster does not know who this is');
  }
  return { name, groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [] };
}

/** As the bearer of the client's token. */
export async function mayI(kube: KubeClient, spec: JsonObject): Promise<boolean> {
  return valueAt(await ask(kube, MAY_I, { spec }), 'allowed') === true;
}

async function ask(kube: KubeClient, type: ResourceType, fields: JsonObject): Promise<JsonObject> {
  // A review is asked, not kept, so it has no name.
  const object = { apiVersion: `${type.group}/v1`, kind: type.kind, metadata: {}, ...fields } as unknown as KubeObject;
  return objectAt(await kube.create({ type }, object, { deadlineMs: DEADLINE_MS }), 'status');
}

/** Whoever hears this may be anybody, and need not learn where the cluster is or which file leads to it. */
function inOurWords(error: unknown, cluster: string): unknown {
  if (!isAppError(error)) return error;
  const { code, retry } = error;
  const said = code === 'unauthenticated' ? 'it does not take this token' : 'it does not answer who you are';
  return new AppError(code, `log in to cluster ${JSON.stringify(cluster)}: ${said}`, { cause: error, retry });
}
