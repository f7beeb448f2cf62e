import { AppError, isAppError } from '../../base/index.ts';
import type { MoverJob } from '../../core/volumes/index.ts';
import { RemotePlugin, type RestoreResult, type SnapshotResult, type VolumeCall } from '../../edge/volumes/index.ts';
import { inAttempts, type Tried } from './mover/attempts.ts';
import { kopiaAccess, type KopiaAccess } from './mover/kopia-access.ts';
import { restoreJob, snapshotJob } from './mover/mover-job.ts';
import { podMover, type PodMoverDeps } from './mover/pod-mover.ts';
import { MOVER_PATHS } from './mover/pod-spec.ts';
import { Preparations, SharedTurn, type RepositoryTurn } from './mover/preparations.ts';
import { removeEarlier } from './mover/remove-earlier.ts';
import type { MoverSettings } from './mover/settings.ts';
import { MoverSlots } from './mover/slots.ts';
import type { MoverCall, MoverLocation, MoverTask, RepositoryTask, RestoreTask, SnapshotTask } from './mover/task.ts';
import { watched } from './mover/watched.ts';

export interface MoversDeps extends PodMoverDeps {
  /** The namespace of the velero.io objects. */
  namespace: string;
}

/** What was waited for before a pod was frozen. */
export interface ReservedTurn {
  /** Ends the turn on the node. */
  leave: () => void;
  /** For kopia. Whoever reserved it ends it. */
  repository?: SharedTurn | undefined;
}

const ANYWHERE = '';

/** Runs the movers of one cluster, for whatever operation: at most so many at a time, and each up to three times. */
export class Movers {
  readonly settings: MoverSettings;
  readonly #deps: MoversDeps;
  readonly #slots: MoverSlots;
  readonly #preparations = new Preparations();

  constructor(settings: MoverSettings, deps: MoversDeps) {
    this.settings = settings;
    this.#deps = deps;
    this.#slots = new MoverSlots(settings);
  }

  /** Waits until a mover could start on a node, and keeps that turn until it is given to `snapshot` or ended. */
  async reserve(node: string | undefined, signal: AbortSignal): Promise<() => void> {
    return await this.#slots.take(node ?? ANYWHERE, signal);
  }

  /** A turn on a node that needs no waiting; undefined where all are taken. */
  reserveNow(node: string | undefined): (() => void) | undefined {
    return this.#slots.takeNow(node ?? ANYWHERE);
  }

  /**
   * Waits until nobody else prepares the repository of a namespace, and keeps the others from it until it is ended.
   * Only who has a turn on a node may ask: all take the two in this order, so that none waits for one who waits for it.
   */
  async reserveRepository(
    location: Pick<MoverLocation, 'name'>,
    namespace: string,
    signal: AbortSignal,
  ): Promise<SharedTurn | undefined> {
    if (this.settings.uploader !== 'kopia') return undefined;
    return new SharedTurn(await this.#preparations.turn(repositoryOf(location, namespace), signal));
  }

  /** Ends whatever earlier attempts at a volume left running, so that nobody takes its result for a good one. */
  async endEarlier(
    task: Pick<MoverTask, 'id' | 'owner' | 'claim'>,
    next: number,
    api: ReturnType<MoverCall['api']>,
    signal: AbortSignal,
  ): Promise<void> {
    await api.call(() => removeEarlier(task, next, this.#deps, signal));
  }

  /** Copies the files of a claim. `turn` is one that was reserved. */
  async snapshot(task: SnapshotTask, call: MoverCall, turn?: ReservedTurn): Promise<Tried<SnapshotResult>> {
    const repository = repositoryOf(task.location, task.claim.namespace);
    let shared = turn?.repository;
    return await this.#tried(task, call, turn?.leave, async (attempt) => {
      const preparing = task.uploader === 'kopia' ? await this.#preparing(repository, shared, task, call) : undefined;
      try {
        const result = await this.#snapshotOnce({ ...task, attempt }, this.#tellingReady(call, preparing), preparing);
        // A short one may have ended before anybody heard that it copies.
        preparing?.ready();
        return result;
      } catch (error) {
        const isMissing = isAppError(error, 'notFound') && preparing?.isPreparing === false;
        if (!isMissing) throw error;
        // Somebody deleted the repository since it was prepared.
        this.#preparations.forget(repository);
        shared = undefined;
        throw new AppError('gone', error.message, { cause: error });
      } finally {
        preparing?.end();
      }
    });
  }

  /** Fills a claim from a snapshot. */
  async restore(task: RestoreTask, call: MoverCall): Promise<Tried<RestoreResult>> {
    return await this.#tried(task, call, undefined, async (attempt) => {
      const once = { ...task, attempt };
      const kopia = task.uploader === 'kopia' ? await this.#kopia(once, task.repositoryNamespace, call) : undefined;
      const { id, snapshotID, volumeId, totalBytes, isVerified } = task;
      const isBroughtUp = task.isBroughtUp === true ? true : undefined;
      // What a mover that was lost has left is not what the snapshot has.
      const isExact = attempt > 1 && isBroughtUp === undefined ? true : undefined;
      const plugin = this.#plugin(once, call, {
        isReadOnly: false,
        kopia,
        snapshot: unasked,
        restore: (request) => restoreJob(request, task, kopia?.base),
      });
      const what = { id, path: MOVER_PATHS.volume, snapshotID, volumeId, totalBytes };
      const request = { ...what, isVerified, isExact, isBroughtUp };
      return await this.#watched(plugin, id, call, (quiet) => plugin.restore(request, quiet));
    });
  }

  /** Removes snapshots of kopia, and what is left of volumes. */
  async delete(
    task: RepositoryTask & { snapshotIDs: readonly string[]; volumes: readonly string[] },
    call: MoverCall,
  ): Promise<void> {
    const { id, snapshotIDs, volumes } = task;
    await this.#onRepository(task, call, (base) => ({
      ...{ kind: 'delete' as const, id, ...base },
      ...{ snapshotIDs: [...snapshotIDs], volumes: [...volumes] },
    }));
  }

  /** Clears away what no snapshot needs any more. */
  async maintain(task: RepositoryTask & { isFull: boolean }, call: MoverCall): Promise<void> {
    const { id, isFull } = task;
    await this.#onRepository(task, call, (base) => ({ kind: 'maintain' as const, id, ...base, isFull }));
  }

  /** The files of a snapshot of kopia, as lines of JSON. `keep` gets them from the beginning with every attempt. */
  async list(
    task: RepositoryTask & { snapshotID: string; maxBytes: number },
    call: MoverCall,
    keep: (list: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void> {
    const { id, snapshotID, maxBytes } = task;
    await this.#onRepository(
      task,
      call,
      (base) => ({ kind: 'list' as const, id, ...base, snapshotID, maxBytes }),
      async (plugin) => {
        await this.#watched(plugin, id, call, (quiet) => plugin.list({ id, snapshotID, maxBytes }, quiet, keep));
      },
    );
  }

  async #snapshotOnce(
    task: SnapshotTask & { attempt: number },
    call: MoverCall,
    preparing: RepositoryTurn | undefined,
  ): Promise<SnapshotResult> {
    const { id, source, tags, isVerified } = task;
    const kopia = preparing === undefined ? undefined : await this.#kopia(task, task.claim.namespace, call);
    const plugin = this.#plugin(task, call, {
      isReadOnly: true,
      kopia,
      snapshot: (request) => {
        const { isPreparing = false } = preparing ?? {};
        return snapshotJob(request, task, kopia === undefined ? undefined : { ...kopia.base, isPreparing });
      },
      restore: unasked,
    });
    const request = { id, path: MOVER_PATHS.volume, source, tags, isVerified };
    return await this.#watched(plugin, id, call, (quiet) => plugin.snapshot(request, quiet));
  }

  async #preparing(
    repository: string,
    shared: SharedTurn | undefined,
    { id }: MoverTask,
    { signal, onWaiting }: MoverCall,
  ): Promise<RepositoryTurn> {
    const what = `the mover of ${id} waits until another one has prepared the repository`;
    const wait = onWaiting(new AppError('timeout', what));
    try {
      return await (shared?.turn(signal) ?? this.#preparations.turn(repository, signal));
    } finally {
      wait.end();
    }
  }

  /** The first mover in a repository has prepared it as soon as it copies. */
  #tellingReady(call: MoverCall, preparing: RepositoryTurn | undefined): MoverCall {
    if (preparing?.isPreparing !== true) return call;
    return {
      ...call,
      onProgress: (progress) => {
        if (progress.step !== undefined && progress.step !== 'connecting') preparing.ready();
        call.onProgress?.(progress);
      },
    };
  }

  async #onRepository(
    task: RepositoryTask,
    call: MoverCall,
    jobOf: (base: KopiaAccess['base']) => MoverJob,
    run = (plugin: RemotePlugin): Promise<void> => plugin.delete({ snapshotIDs: [] }, call),
  ) {
    const claim = { namespace: this.#deps.namespace, name: '' };
    const anywhere = { ...task, claim, uploader: 'kopia' as const };
    await this.#tried(anywhere, call, undefined, async (attempt) => {
      const kopia = await this.#kopia({ ...anywhere, attempt }, task.repositoryNamespace, call);
      const plugin = this.#plugin({ ...anywhere, attempt }, call, {
        ...{ isReadOnly: true, kopia, snapshot: unasked, restore: unasked },
        ...{ delete: () => jobOf(kopia.base), list: () => jobOf(kopia.base) },
      });
      await run(plugin);
    });
  }

  #plugin(
    task: MoverTask & { attempt: number },
    call: MoverCall,
    jobs: ConstructorParameters<typeof RemotePlugin>[0]['jobs'] & {
      isReadOnly: boolean;
      kopia: KopiaAccess | undefined;
    },
  ): RemotePlugin {
    const { claim, node, owner, attempt, location } = task;
    const { isReadOnly, kopia, ...rest } = jobs;
    const start = podMover(
      {
        namespace: claim.namespace,
        server: this.#deps.namespace,
        owner,
        attempt,
        location: location.name,
        pod: {
          image: this.settings.image,
          ...(claim.name === '' ? {} : { claim: claim.name }),
          ...{ node, isReadOnly, directory: kopia?.directory },
        },
        secrets: kopia?.secrets,
      },
      this.#deps,
      call,
    );
    const key = (task as Partial<SnapshotTask>).archiveKey ?? '';
    const archives = kopia === undefined ? { archives: { store: location.store, keyOf: () => key } } : {};
    return new RemotePlugin({ name: task.uploader, start, jobs: rest, ...archives });
  }

  async #kopia(task: MoverTask, repositoryNamespace: string, call: MoverCall): Promise<KopiaAccess> {
    return await kopiaAccess(task, repositoryNamespace, { ...this.#deps, machineId: this.settings.machineId }, call);
  }

  async #watched<T>(
    plugin: RemotePlugin,
    id: string,
    call: MoverCall,
    work: (quiet: VolumeCall) => Promise<T>,
  ): Promise<T> {
    return await watched({ plugin, id, clock: this.#deps.clock }, call, work);
  }

  async #tried<T>(
    task: MoverTask,
    call: MoverCall,
    reserved: (() => void) | undefined,
    once: (attempt: number) => Promise<T>,
  ): Promise<Tried<T>> {
    const { signal, onWaiting } = call;
    const wait = onWaiting(new AppError('timeout', `the mover of ${task.id} waits for its turn`));
    let leave = reserved;
    try {
      leave ??= await this.#slots.take(task.node ?? ANYWHERE, signal);
      wait.end();
      const onAttempt = async (attempt: number, lost: AppError | undefined): Promise<void> => {
        await call.onAttempt?.(attempt, lost);
        await this.endEarlier(task, attempt, call.api(signal), signal);
      };
      return await inAttempts({ first: task.attempt ?? 1, onAttempt, signal }, this.#deps, once);
    } finally {
      wait.end();
      leave?.();
    }
  }
}

/** Every namespace has one in a location. */
function repositoryOf(location: Pick<MoverLocation, 'name'>, namespace: string): string {
  return `${location.name}/${namespace}`;
}

function unasked(): never {
  throw new AppError('bug', 'a mover was asked for another job than its own');
}
