import { createHash } from 'node:crypto';
import { AppError, isAppError, objectAt, textAt, valueAt, type Clock, type JsonObject } from '../../base/index.ts';
import { BackupStorageLocation, DownloadRequest, Schedule, type ResourceType } from '../../api/index.ts';
import { ADAPTERS } from '../../core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import type { Login } from './callers.ts';
import type { UserClients } from './user-clients.ts';

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

interface Checked {
  rights: Promise<Rights>;
  at: number;
  /** When the cluster last answered; older than `at` while it does not. */
  confirmedAt: number;
}

/** What is watched on behalf of users. */
const WATCHED: readonly ResourceType[] = [...ADAPTERS.map(({ type }) => type), Schedule, BackupStorageLocation];
const MAX_USERS = 1000;
const DEADLINE_MS = 10_000;
/** Being forbidden to ask is no answer either: a server that has just started forbids everything for a moment. */
const NO_ANSWER = ['unreachable', 'timeout', 'throttled', 'serverError', 'forbidden'] as const;
/** A cluster that does not answer takes nobody's rights away at once, but it cannot confirm them for ever either. */
const UNCONFIRMED_MS = 5 * 60_000;

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
export class RightsBook {
  readonly #clients: UserClients;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #book = new Map<string, Checked>();

  constructor(clients: UserClients, options: { clock: Clock; maxAgeMs: number }) {
    this.#clients = clients;
    this.#clock = options.clock;
    this.#maxAgeMs = options.maxAgeMs;
  }

  /** At most as old as the limit; throws `unauthenticated` when the cluster does not take the token. */
  async of(login: Login): Promise<Rights> {
    const known = this.#book.get(login.key);
    const now = this.#clock.now();
    if (known !== undefined && now - known.at < this.#maxAgeMs) return await known.rights;
    const answer = this.#check(login, known);
    const checked: Checked = {
      at: now,
      confirmedAt: known?.confirmedAt ?? now,
      rights: answer.then(({ rights }) => rights),
    };
    // Whoever waits hears of it; the book itself is nobody who could handle it.
    checked.rights.catch(() => undefined);
    this.#put(login.key, checked);
    try {
      const { rights, isConfirmed } = await answer;
      if (isConfirmed) checked.confirmedAt = now;
      return rights;
    } catch (error) {
      if (this.#book.get(login.key) === checked) this.#book.delete(login.key);
      throw error;
    }
  }

  async #check(login: Login, before: Checked | undefined): Promise<{ rights: Rights; isConfirmed: boolean }> {
    try {
      return { rights: await askRights(this.#clients.of(login), login.cluster.namespace), isConfirmed: true };
    } catch (error) {
      if (before === undefined || !isAppError(error, ...NO_ANSWER)) throw error;
      if (this.#clock.now() - before.confirmedAt > UNCONFIRMED_MS) throw error;
      return { rights: await before.rights, isConfirmed: false };
    }
  }

  #put(key: string, checked: Checked): void {
    this.#book.delete(key);
    this.#book.set(key, checked);
    const oldest = this.#book.keys().next().value;
    if (this.#book.size > MAX_USERS && oldest !== undefined) this.#book.delete(oldest);
  }
}

async function askRights(kube: KubeClient, namespace: string): Promise<Rights> {
  const may = (verb: string, { group, version, plural }: ResourceType): Promise<boolean> =>
    mayI(kube, { resourceAttributes: { verb, group, version, resource: plural, namespace } });
  const [user, mayDownload, mayScrape, ...seen] = await Promise.all([
    whoAmI(kube),
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
    throw new AppError('unauthenticated', 'log in: the cluster does not know who this is');
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
