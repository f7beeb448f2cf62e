import { createHash } from 'node:crypto';
import { AppError, isAppError, objectAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import { BackupStorageLocation, DownloadRequest, Schedule, type ResourceType } from '../../api/index.ts';
import { ADAPTERS } from '../../core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import type { ClusterPort } from '../ports.ts';

/** What one user may see of one cluster, as the cluster itself said. */
export interface Rights {
  user: { name: string; groups: string[] };
  /** Whether objects of a kind may be listed and watched there. */
  maySee(type: ResourceType, namespace: string): boolean;
  /** Whether files of backups and restores may be read: contents, logs, results. */
  mayDownload: boolean;
  /** Whether the server's numbers may be read, as for any other program of the cluster. */
  mayScrape: boolean;
  /** Equal for users who may see the same. */
  fingerprint: string;
}

/** What is watched on behalf of users. */
const WATCHED: readonly ResourceType[] = [...ADAPTERS.map(({ type }) => type), Schedule, BackupStorageLocation];
const DEADLINE_MS = 10_000;

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
 * about others, and a token that the cluster no longer takes is noticed by the same question.
 */
export async function askRights(kube: KubeClient, { name, namespace }: ClusterPort): Promise<Rights> {
  try {
    // First, and alone: a token that is not taken costs the cluster one question instead of all of them.
    const user = await whoAmI(kube);
    return await rightsOf(user, kube, namespace);
  } catch (error) {
    throw inOurWords(error, name);
  }
}

async function rightsOf(user: Rights['user'], kube: KubeClient, namespace: string): Promise<Rights> {
  const may = (verb: string, { group, version, plural }: ResourceType): Promise<boolean> =>
    mayI(kube, { resourceAttributes: { verb, group, version, resource: plural, namespace } });
  const [mayDownload, mayScrape, ...seen] = await Promise.all([
    may('create', DownloadRequest),
    mayI(kube, { nonResourceAttributes: { verb: 'get', path: '/metrics' } }),
    ...WATCHED.map(async (type) => {
      const [list, watch] = await Promise.all([may('list', type), may('watch', type)]);
      return list && watch ? [`${type.group}/${type.plural}/${namespace}`] : [];
    }),
  ]);
  const allowed = new Set(seen.flat());
  return {
    user,
    mayDownload,
    mayScrape,
    maySee: (type, where) => allowed.has(`${type.group}/${type.plural}/${where}`),
    fingerprint: createHash('sha256')
      .update(JSON.stringify([...allowed]))
      .digest('base64url'),
  };
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

async function mayI(kube: KubeClient, spec: JsonObject): Promise<boolean> {
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
