import { Backup, DownloadRequest, Restore, type DownloadTarget } from '../../../api/index.ts';
import { AppError, isAppError, textAt, toAppError } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import {
  aboutObject,
  deleteObject,
  patchStatus,
  readObject,
  toTime,
  withCondition,
} from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { targetKey } from './target-key.ts';

export interface WantedLink {
  /** The DownloadRequest, and the Backup or Restore whose file it is. */
  request: KubeObject;
  of: KubeObject;
  location: string;
  key: string;
  seconds: number;
}

export interface DownloadOptions {
  /** A link to one file of a store that has no URL of its own; undefined when nothing serves it. */
  linkTo?: (wanted: WantedLink) => string | undefined;
}

const LINK_SECONDS = 600;
const LONGEST_WAIT_MS = 60_000;
// The stock client polls every 25 ms for at most a minute: several of them must not wait for each other.
const WORKERS = 4;

export function createDownloadController(options: DownloadOptions, deps: ControlDeps, caches: Caches): Part {
  const downloads = new Downloads(options, deps);
  return new Controller(
    {
      name: 'download',
      workers: WORKERS,
      sources: [{ cache: caches.downloadRequests }],
      reconcile: async (key, signal) => {
        const object = caches.downloadRequests.get(key);
        return object === undefined ? 'done' : await downloads.reconcile(object, signal);
      },
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export class Downloads {
  readonly #options: DownloadOptions;
  readonly #deps: ControlDeps;

  constructor(options: DownloadOptions, deps: ControlDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async reconcile(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { clock } = this.#deps;
    if (object.metadata.deletionTimestamp !== undefined) return 'done';
    const expiration = textAt(object, 'status', 'expiration');
    // An unanswered request expires too, so that nothing piles up.
    if (expiration !== undefined) {
      const leftMs = Date.parse(expiration) - clock.now();
      if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, LONGEST_WAIT_MS) };
      await deleteObject({ type: DownloadRequest, object, deps: this.#deps, signal });
      return 'done';
    }
    await this.#answer(object, signal);
    return { requeueAfterMs: LONGEST_WAIT_MS };
  }

  async #answer(object: KubeObject, signal: AbortSignal): Promise<void> {
    const { clock, events } = this.#deps;
    const write = { type: DownloadRequest, object, deps: this.#deps, signal };
    const expiration = toTime(clock.now() + LINK_SECONDS * 1000);
    try {
      const downloadURL = await this.#link(object, signal);
      const condition = { type: 'Ready', status: 'True', reason: 'Signed', message: 'the link is ready' } as const;
      const conditions = withCondition(object, condition, clock.now());
      await patchStatus(write, { phase: 'Processed', downloadURL, expiration, conditions });
    } catch (error) {
      const problem = toAppError(error);
      if (problem.facts.family !== 'invalid' || isAppError(error, 'canceled')) throw error;
      const { message, facts } = problem;
      const change = { type: 'Ready', status: 'False', reason: facts.reason, message } as const;
      // The phase stays New, as in Velero: the stock client reads Processed as "there is a link".
      const conditions = withCondition(object, change, clock.now());
      await patchStatus(write, { phase: 'New', expiration, conditions });
      events.record({
        type: 'Warning',
        reason: 'NoDownload',
        message,
        about: aboutObject(DownloadRequest, object),
      });
    }
  }

  async #link(object: KubeObject, signal: AbortSignal): Promise<string> {
    const { target } = DownloadRequest.parse(object).value.spec;
    const kind: DownloadTarget = target.kind;
    const file = targetKey(kind, target.name);
    if (file === undefined) throw new AppError('invalid', `download ${kind} of ${target.name}: unknown kind of file`);
    const of = await this.#read(file.of === 'backup' ? Backup : Restore, target.name, signal);
    const backup = file.of === 'backup' ? of : await this.#backupOf(of, signal);
    const location = textAt(backup, 'spec', 'storageLocation');
    if (location === undefined) {
      const { name } = backup.metadata;
      throw new AppError('notFound', `download ${kind} of ${target.name}: backup ${name} is in no location yet`);
    }
    using opened = await this.#deps.stores.open(location, signal);
    const { store } = opened;
    const link =
      (await store.downloadUrl(file.key, LINK_SECONDS, { signal })) ??
      this.#options.linkTo?.({ request: object, of, location, key: file.key, seconds: LINK_SECONDS });
    if (link !== undefined) return link;
    throw new AppError('unsupported', `download ${file.key} from ${store.where}: it has no address and none is served`);
  }

  async #backupOf(restore: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const backup = textAt(restore, 'spec', 'backupName');
    if (backup !== undefined) return await this.#read(Backup, backup, signal);
    throw new AppError('notFound', `download a file of Restore ${restore.metadata.name}: it has no backup yet`);
  }

  async #read(type: typeof Backup | typeof Restore, name: string, signal: AbortSignal): Promise<KubeObject> {
    const found = await readObject({ type, namespace: this.#deps.namespace, name }, this.#deps, signal);
    if (found !== undefined) return found;
    throw new AppError('notFound', `download a file of ${type.kind} ${name}: there is no such ${type.kind}`);
  }
}
