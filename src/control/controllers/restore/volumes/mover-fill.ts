import { PodVolumeRestore, Restore, VolumePluginRestore } from '../../../../api/index.ts';
import { AppError, formatCount, messageOf, textAt, valueAt, type JsonObject } from '../../../../base/index.ts';
import { isVolumeEnded, podVolumeRestoreStatus, readVolumePhase } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import {
  bothOf,
  catchUp,
  VolumeRun,
  type MoverCall,
  type RestoreTask,
  type ShownVolume,
} from '../../../volumes/index.ts';
import { archiveKeyOf } from './archive-key.ts';
import { takeToBringUp } from './claim-to-bring-up.ts';
import { expectKept, expectUnfilled, fillsNoMore, readClaim } from './claim-mark.ts';
import { isCanceled, type Fill, type FillContext, type FillProgress, type Filling } from './fill-context.ts';
import {
  isToBringUp,
  placePodVolumeRestore,
  placeRestoreObject,
  removeRestoreObjects,
  restoreIdOf,
} from './restore-object.ts';

/** One claim that a mover fills, with kopia or from an archive. */
export class MoverFill implements Fill {
  #filling: Filling;
  readonly #context: FillContext;
  /** Fields of the status beside the numbers. */
  readonly #own: JsonObject = {};
  #progress: FillProgress;
  /** Our object, and when it was read. */
  #placed: { object: KubeObject; readAt: number } | undefined;
  #run: VolumeRun | undefined;
  #removed: string | undefined;
  #kept: string | undefined;

  constructor(filling: Filling, context: FillContext) {
    this.#filling = filling;
    this.#context = context;
    this.#progress = { bytesDone: 0, totalBytes: filling.data.totalBytes };
  }

  get progress(): FillProgress {
    return this.#progress;
  }

  get removed(): string | undefined {
    return this.#removed;
  }

  get kept(): string | undefined {
    return this.#kept;
  }

  async fill(): Promise<string | undefined> {
    const { signal } = this.#context;
    try {
      signal.throwIfAborted();
      const object = await placeRestoreObject(this.#filling, this.#context);
      this.#placed = { object, readAt: this.#context.restore.deps.clock.now() };
      // An update by this restore makes a claim that came meanwhile look like one of its own.
      if (isToBringUp(object)) this.#filling = { ...this.#filling, isBroughtUp: true };
      const phase = readVolumePhase(textAt(object, 'status', 'phase'));
      // An earlier attempt at this restore came to an end with it.
      const problem = isVolumeEnded(phase) ? await this.#endOf(object, phase) : undefined;
      if (!isVolumeEnded(phase)) await this.#copy(object);
      if (problem === undefined) await fillsNoMore(this.#filling.claim, this.#context.restore, signal);
      return problem;
    } catch (error) {
      if (signal.aborted && !isCanceled(this.#context, signal)) {
        await this.#run?.leave();
        throw error;
      }
      if (this.#kept === undefined || signal.aborted) return await this.#failed(error);
    }
    await this.#forget();
    return undefined;
  }

  /** A volume that was not begun has no object. */
  async #forget(): Promise<void> {
    await this.#run?.leave();
    try {
      await removeRestoreObjects(this.#filling, this.#context);
    } catch (error) {
      const volume = restoreIdOf(this.#filling, this.#context);
      this.#context.restore.log.warn('the object of a volume stays', { volume, err: messageOf(error) });
    }
  }

  async #copy(object: KubeObject): Promise<void> {
    const { restore, signal } = this.#context;
    const { deps } = restore;
    const { claim, data } = this.#filling;
    const attempt = valueAt(object, 'status', 'attempt');
    const before = typeof attempt === 'number' ? attempt : 0;
    const ours = { type: VolumePluginRestore, object };
    const velero = await this.#veleros(object);
    this.#run = this.#runOf(velero === undefined ? [ours] : [ours, velero], deps.clock.now());
    if (this.#filling.isBroughtUp !== true) await expectUnfilled(claim, restore, signal);
    // A kopia mover of the process before is still there; a stream ended with its exec.
    const next = before === 0 ? 1 : data.by === 'kopia' ? before : before + 1;
    const { result, attempt: last } = await deps.movers.restore(this.#task(next), this.#call(this.#run, before > 0));
    this.#see(result.progress);
    const volume = textAt(await expectKept(claim, restore, signal), 'spec', 'volumeName');
    if (volume !== undefined) this.#own['volumeID'] = volume;
    if (this.#filling.isBroughtUp === true) this.#tellBroughtUp(this.#run, result.removed ?? 0, last);
    await this.#run.finish({ phase: 'Completed', ...result });
  }

  #runOf(shown: readonly [ShownVolume, ...ShownVolume[]], readAt: number): VolumeRun {
    const { deps, operation } = this.#context.restore;
    return new VolumeRun(shown, { own: this.#own, readAt, writes: operation.lasting }, deps);
  }

  /** Only ours may have been placed, as when Velero's is somebody else's; whoever looks at it should know the end. */
  #runOfPlaced(): VolumeRun | undefined {
    if (this.#placed === undefined) return undefined;
    const { object, readAt } = this.#placed;
    // What an earlier attempt has ended stays as it is.
    if (isVolumeEnded(readVolumePhase(textAt(object, 'status', 'phase')))) return undefined;
    return this.#runOf([{ type: VolumePluginRestore, object }], readAt);
  }

  #tellBroughtUp(run: VolumeRun, removed: number, attempt: number): void {
    this.#removed = removedText(removed, attempt);
    this.#own['removedFiles'] = removed;
    const message = `the claim existed and was brought up to the backup; not in it, and removed: ${this.#removed}`;
    run.setCondition({ type: 'BroughtUp', status: 'True', reason: 'SamePlan', message });
  }

  /** A claim that exists is looked at again right before a mover starts: somebody may use it by now. */
  async #takeAgain(attempt: number, hasBegun: boolean): Promise<void> {
    const { restore, signal } = this.#context;
    const { claim, data, isBroughtUp } = this.#filling;
    if (isBroughtUp !== true) return;
    const why = await takeToBringUp(claim, data, restore, signal);
    if (why === undefined) return;
    if (!hasBegun) this.#kept = why;
    else await restore.deps.movers.endEarlier(this.#task(attempt), attempt + 1, restore.operation.api(signal), signal);
    throw new AppError('invalid', `the claim is not brought up to the backup: ${why}`);
  }

  async #veleros(object: KubeObject): Promise<ShownVolume | undefined> {
    if (this.#filling.data.podVolume === undefined) return undefined;
    const { restore, signal } = this.#context;
    const claim = await readClaim(this.#filling.claim, restore, signal);
    const velero = await placePodVolumeRestore(this.#filling, this.#context, claim?.metadata.uid ?? '');
    const statusOf = (status: JsonObject): JsonObject =>
      podVolumeRestoreStatus({ ...object, status } as unknown as VolumePluginRestore);
    return velero === undefined ? undefined : { type: PodVolumeRestore, object: velero, statusOf };
  }

  async #endOf(object: KubeObject, phase: 'Completed' | 'Failed' | 'Canceled'): Promise<string | undefined> {
    const velero = await this.#veleros(object);
    if (velero !== undefined) await catchUp(velero, object, this.#context.restore.deps, this.#context.signal);
    const done = valueAt(object, 'status', 'progress', 'bytesDone');
    const bytesDone = typeof done === 'number' ? done : 0;
    const removed = valueAt(object, 'status', 'removedFiles');
    const attempt = valueAt(object, 'status', 'attempt');
    if (typeof removed === 'number') this.#removed = removedText(removed, typeof attempt === 'number' ? attempt : 1);
    this.#see({ bytesDone, totalBytes: bytesDone });
    return phase === 'Completed' ? undefined : (textAt(object, 'status', 'message') ?? `it is ${phase}`);
  }

  #task(attempt: number): RestoreTask {
    const { restore, location, backup, isVerified } = this.#context;
    const { data, claim, isBroughtUp } = this.#filling;
    const parallel = restore.restore.spec.uploaderConfig?.parallelFilesDownload;
    return {
      id: restoreIdOf(this.#filling, this.#context),
      owner: { type: Restore, object: restore.object },
      uploader: data.by === 'kopia' ? 'kopia' : 'stream',
      ...{ location, claim, isVerified, attempt, isBroughtUp },
      snapshotID: data.kopiaID ?? archiveKeyOf(backup, data.id),
      volumeId: data.id,
      repositoryNamespace: data.claim.namespace,
      totalBytes: data.totalBytes,
      ...(parallel === undefined || parallel < 1 ? {} : { parallel }),
    };
  }

  #call(run: VolumeRun, hasBegun: boolean): MoverCall {
    const { restore, signal } = this.#context;
    const { operation } = restore;
    let isAgain = hasBegun;
    return {
      signal,
      lasting: operation.lasting,
      isCanceled: (aborted) => isCanceled(this.#context, aborted),
      api: (until) => operation.api(until),
      onProgress: (progress) => {
        run.progress(progress);
        this.#see(progress);
      },
      onNote: (text) => {
        run.note(text);
      },
      onAttempt: async (attempt, lost) => {
        const volume = restoreIdOf(this.#filling, this.#context);
        if (lost !== undefined) operation.log.warn('a mover was lost', { volume, attempt, err: lost.message });
        await this.#takeAgain(attempt, isAgain);
        isAgain = true;
        await run.begin(attempt, signal);
      },
      // Whoever looks at the restore should know as well what it waits for.
      onWaiting: (cause) => bothOf(run.wait(cause), operation.run.wait(cause, 'slow')),
    };
  }

  #see({ bytesDone, totalBytes }: FillProgress): void {
    this.#progress = { bytesDone, totalBytes: totalBytes ?? this.#filling.data.totalBytes };
    this.#context.onProgress();
  }

  async #failed(error: unknown): Promise<string> {
    const isOver = this.#context.signal.aborted;
    const message = isOver ? 'canceled with its restore' : sentenceOf(error);
    // What is not restored is not waited for.
    this.#see({ bytesDone: this.#progress.bytesDone, totalBytes: this.#progress.bytesDone });
    this.#run ??= this.#runOfPlaced();
    await this.#run?.finish({ phase: isOver ? 'Canceled' : 'Failed', message });
    return message;
  }
}

/** What a mover that was lost has removed nobody knows. */
function removedText(removed: number, attempt: number): string {
  const files = removed === 1 ? '1 file' : `${formatCount(removed)} files`;
  return attempt > 1 ? `at least ${files}` : files;
}

function sentenceOf(error: unknown): string {
  const hint = error instanceof AppError ? error.details?.['hint'] : undefined;
  return typeof hint === 'string' ? `${messageOf(error)}; ${hint}` : messageOf(error);
}
