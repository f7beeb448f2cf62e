import { Backup, PodVolumeBackup, VolumePluginBackup } from '../../../../api/index.ts';
import { AppError, messageOf, textAt, valueAt, type JsonObject } from '../../../../base/index.ts';
import {
  isVolumeEnded,
  KOPIA_SNAPSHOT,
  pluginBackupObject,
  podVolumeInfo,
  podVolumeObject,
  podVolumeStatus,
  readVolumePhase,
  REQUESTER_TAGS,
  streamedVolumeInfo,
  toStored,
  volumeId,
  type BackupVolumeInfo,
  type VolumeChoice,
} from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { backupKeys } from '../../../../edge/store/index.ts';
import type { PluginProgress, SnapshotResult } from '../../../../edge/volumes/index.ts';
import { CALL_DEADLINE_MS } from '../../../runtime/objects/index.ts';
import {
  catchUp,
  obstaclesToo,
  VolumeRun,
  type MoverCall,
  type ReservedTurn,
  type ShownVolume,
  type SnapshotTask,
} from '../../../volumes/index.ts';
import type { VolumeContext } from './volume-context.ts';
import { pluginOf, placeVolumeObject, removeVolumeObjects } from './volume-objects.ts';

export type CopyChoice = Extract<VolumeChoice, { kind: 'copy' }>;

/** Where a mover reads, as Velero's objects have a path too. */
const READ_AT = '/headway/scratch/volume';

/** How the copy of one volume ended, and what is stored and told about it. */
export interface CopiedVolume {
  claim: { namespace: string; name: string };
  isThere: boolean;
  /** Why its data is not in the backup. */
  problem?: string;
  pluginBackup: JsonObject;
  podVolumeBackup?: JsonObject;
  info: BackupVolumeInfo;
}

/** One volume of a backup, copied file by file while its pod runs. */
export class VolumeCopy {
  readonly id: string;
  readonly uploader: 'kopia' | 'stream';
  readonly choice: CopyChoice;
  readonly #context: VolumeContext;
  readonly #volume: JsonObject | undefined;
  #latest: PluginProgress | undefined;
  /** Our object, and when it was read. */
  #placed: { object: KubeObject; readAt: number } | undefined;
  #run: VolumeRun | undefined;
  #hasBegun = false;

  constructor(choice: CopyChoice, volume: JsonObject | undefined, context: VolumeContext) {
    const { name, uid = '' } = context.operation.object.metadata;
    this.choice = choice;
    this.id = volumeId({ name, uid }, choice.volume);
    this.uploader = context.deps.movers.settings.uploader;
    this.#volume = volume;
    this.#context = context;
  }

  get claimName(): string {
    return `${this.choice.claim.namespace}/${this.choice.claim.name}`;
  }

  get progress(): PluginProgress | undefined {
    return this.#latest;
  }

  /** A mover may have stored something. One that never came to copy has not. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * `earlier` is its object from an earlier attempt, whose result is good unless the pod was thawed since: what was
   * copied while it stood still does not fit to what is copied now. Throws only when all copies end.
   */
  async copy(
    earlier: KubeObject | undefined,
    { turn, wasThawed }: { turn: ReservedTurn | undefined; wasThawed: boolean },
  ): Promise<CopiedVolume> {
    const { signal, isCanceled } = this.#context;
    try {
      const isGood = earlier !== undefined && !wasThawed && pluginOf(earlier) === this.uploader;
      const finished = isGood ? this.#finished(earlier) : undefined;
      if (finished !== undefined) {
        turn?.leave();
        const [ours, velero] = await this.#place(signal);
        if (velero !== undefined) await catchUp(velero, ours.object, this.#context.deps, signal);
        return finished;
      }
      return await this.#copy(turn, earlier === undefined || isGood ? 1 : await this.#forget(earlier));
    } catch (error) {
      turn?.leave();
      if (signal.aborted && !isCanceled(signal)) {
        await this.#run?.leave();
        throw error;
      }
      return await this.#failed(error);
    }
  }

  /**
   * Makes as if an earlier attempt had never been, and returns the number of the next mover. The movers go first: were
   * we killed before the objects are gone, nobody may take what they copy for the result of the next attempt.
   */
  async #forget(earlier: KubeObject): Promise<number> {
    const { signal, operation, deps } = this.#context;
    const attempt = valueAt(earlier, 'status', 'attempt');
    const next = (typeof attempt === 'number' ? attempt : 0) + 1;
    const { namespace, name } = this.choice.claim;
    const task = { id: this.id, owner: { type: Backup, object: operation.object }, claim: { namespace, name } };
    await deps.movers.endEarlier(task, next, operation.api(signal), signal);
    await removeVolumeObjects(this.id, this.#context, signal);
    return next;
  }

  async #copy(turn: ReservedTurn | undefined, first: number): Promise<CopiedVolume> {
    const { signal, deps } = this.#context;
    const [ours, velero] = await this.#place(signal);
    const attempt = valueAt(ours.object, 'status', 'attempt');
    const before = typeof attempt === 'number' ? attempt : 0;
    this.#latest = { bytesDone: 0 };
    this.#run = this.#runOf(velero === undefined ? [ours] : [ours, velero], deps.clock.now());
    // A kopia mover of the process before is still there; a stream ended with its exec.
    const next = before === 0 ? first : this.uploader === 'kopia' ? before : before + 1;
    const { result } = await deps.movers.snapshot(this.#task(next), this.#call(this.#run), turn);
    this.#hasBegun = true;
    const { object } = ours;
    await this.#tellSnapshot(object, result, signal);
    const status = await this.#run.finish({ phase: 'Completed', ...result });
    this.#end(result.progress.bytesDone);
    return this.#told(object, status, result.snapshotID);
  }

  async #place(signal: AbortSignal): Promise<[ShownVolume, ShownVolume | undefined]> {
    const { use, claim, volume } = this.choice;
    const { location, operation, deps } = this.#context;
    const { name, namespace = '', uid = '' } = operation.object.metadata;
    const backedUp = {
      ...{ id: this.id, backup: { namespace, name, uid }, volume, claim, plugin: this.uploader },
    };
    const object = await placeVolumeObject(
      VolumePluginBackup,
      pluginBackupObject(backedUp, false),
      this.#context,
      signal,
    );
    this.#placed = { object, readAt: deps.clock.now() };
    const ours: ShownVolume = { type: VolumePluginBackup, object };
    if (this.uploader !== 'kopia') return [ours, undefined];
    const at = { location: location.name, claimUid: textAt(claim.object, 'metadata', 'uid') ?? '' };
    const pod = {
      namespace: use.pod.namespace,
      name: use.pod.name,
      uid: textAt(use.pod.object, 'metadata', 'uid') ?? '',
      node: textAt(use.pod.object, 'spec', 'nodeName') ?? '',
      volumeName: use.volumeName,
    };
    const wanted = podVolumeObject(backedUp, pod, at);
    const velero = await placeVolumeObject(PodVolumeBackup, wanted, this.#context, signal);
    const statusOf = (status: JsonObject): JsonObject => this.#podVolumeStatus(object, status);
    return [ours, { type: PodVolumeBackup, object: velero, statusOf }];
  }

  #runOf(shown: readonly [ShownVolume, ...ShownVolume[]], readAt: number): VolumeRun {
    const { operation, deps } = this.#context;
    return new VolumeRun(shown, { own: { snapshotID: this.id }, readAt, writes: operation.lasting }, deps);
  }

  /** Only ours may have been placed, as when Velero's is somebody else's; whoever looks at it should know the end. */
  #runOfPlaced(): VolumeRun | undefined {
    if (this.#placed === undefined) return undefined;
    const { object, readAt } = this.#placed;
    // What an earlier attempt has ended stays as it is.
    if (isVolumeEnded(readVolumePhase(textAt(object, 'status', 'phase')))) return undefined;
    return this.#runOf([{ type: VolumePluginBackup, object }], readAt);
  }

  #task(attempt: number): SnapshotTask {
    const { operation, location, isVerified, spec } = this.#context;
    const { claim, use } = this.choice;
    const { name } = operation.object.metadata;
    const parallel = spec.uploaderConfig?.parallelFilesUpload;
    return {
      id: this.id,
      owner: { type: Backup, object: operation.object },
      uploader: this.uploader,
      location,
      claim: { namespace: claim.namespace, name: claim.name },
      node: textAt(use.pod.object, 'spec', 'nodeName'),
      isVerified,
      attempt,
      source: { namespace: use.pod.namespace, pod: use.pod.name, volume: claim.name },
      tags: { ...REQUESTER_TAGS, backup: name, ns: use.pod.namespace, pod: use.pod.name, volume: use.volumeName },
      ...(parallel === undefined || parallel < 1 ? {} : { parallel }),
      archiveKey: archiveKey(name, this.id),
    };
  }

  #call(run: VolumeRun): MoverCall {
    const { signal, operation, isCanceled, onProgress } = this.#context;
    return {
      ...{ signal, isCanceled, lasting: operation.lasting, api: (until) => operation.api(until) },
      onProgress: (progress) => {
        this.#hasBegun ||= progress.step !== undefined && progress.step !== 'connecting';
        this.#latest = progress;
        run.progress(progress);
        onProgress();
      },
      onNote: (text) => {
        run.note(text);
      },
      onAttempt: async (attempt, lost) => {
        if (lost !== undefined) operation.log.warn('a mover was lost', { volume: this.id, attempt, err: lost.message });
        await run.begin(attempt, signal);
      },
      // Whoever looks at the backup should know as well what it waits for.
      onWaiting: (cause) => obstaclesToo(run.wait(cause), () => operation.run.wait(cause, 'slow')),
    };
  }

  /** The tool's own id is of the spec, where whoever restores finds it. */
  async #tellSnapshot(object: KubeObject, { snapshotID }: SnapshotResult, signal: AbortSignal): Promise<void> {
    if (this.uploader !== 'kopia') return;
    const { operation, deps } = this.#context;
    const { name, namespace = '' } = object.metadata;
    const pluginSpecific = { [KOPIA_SNAPSHOT]: snapshotID };
    object['spec'] = { ...(object['spec'] as JsonObject), pluginSpecific };
    await operation
      .api(signal)
      .call(() =>
        deps.kube.patch(
          { type: VolumePluginBackup, namespace, name },
          { kind: 'merge', body: { spec: { pluginSpecific } } },
          { signal, deadlineMs: CALL_DEADLINE_MS },
        ),
      );
  }

  #podVolumeStatus(object: KubeObject, status: JsonObject): JsonObject {
    const told = podVolumeStatus({ ...object, status } as unknown as VolumePluginBackup, READ_AT);
    return told;
  }

  /** An earlier attempt had copied it; undefined if it had not, or not to the end. */
  #finished(object: KubeObject): CopiedVolume | undefined {
    const status = object['status'] as JsonObject;
    if (readVolumePhase(textAt(status, 'phase')) !== 'Completed') return undefined;
    const { name } = this.#context.operation.object.metadata;
    const snapshotID =
      this.uploader === 'kopia' ? textAt(object, 'spec', 'pluginSpecific', KOPIA_SNAPSHOT) : archiveKey(name, this.id);
    if (snapshotID === undefined) return undefined;
    const done = valueAt(status, 'progress', 'bytesDone');
    this.#end(typeof done === 'number' ? done : 0);
    return this.#told(object, status, snapshotID);
  }

  /** Nothing more comes of it. Programs round on the way, and what is done never falls. */
  #end(bytes: number): void {
    const bytesDone = Math.max(this.#latest?.bytesDone ?? 0, bytes);
    this.#latest = { bytesDone, totalBytes: bytesDone };
    this.#context.onProgress();
  }

  async #failed(error: unknown): Promise<CopiedVolume> {
    const { signal, isCanceled } = this.#context;
    const isOver = signal.aborted && isCanceled(signal);
    const message = isOver ? 'canceled with its backup' : sentenceOf(error);
    this.#end(0);
    this.#run ??= this.#runOfPlaced();
    const status = (await this.#run?.finish({ phase: isOver ? 'Canceled' : 'Failed', message })) ?? {
      ...{ phase: 'Failed', snapshotID: this.id, message },
    };
    const { claim, volume } = this.choice;
    const { name, namespace = '', uid = '' } = this.#context.operation.object.metadata;
    const backedUp = { id: this.id, backup: { namespace, name, uid }, volume, claim, plugin: this.uploader };
    return {
      ...this.#told(pluginBackupObject(backedUp, false) as unknown as KubeObject, status, ''),
      problem: message,
    };
  }

  #told(object: KubeObject, status: JsonObject, snapshotID: string): CopiedVolume {
    const { claim, volume, use } = this.choice;
    const { operation, location } = this.#context;
    const { name, namespace = '', uid = '' } = operation.object.metadata;
    const full = { ...object, status } as unknown as VolumePluginBackup;
    const pluginBackup = toStored(full);
    const isThere = readVolumePhase(textAt(status, 'phase')) === 'Completed';
    const common = { claim: { namespace: claim.namespace, name: claim.name }, isThere, pluginBackup };
    if (this.uploader !== 'kopia') return { ...common, info: streamedVolumeInfo(full, claim, this.#volume) };
    const pod = {
      namespace: use.pod.namespace,
      name: use.pod.name,
      uid: textAt(use.pod.object, 'metadata', 'uid') ?? '',
      node: textAt(use.pod.object, 'spec', 'nodeName') ?? '',
      volumeName: use.volumeName,
    };
    const backedUp = { id: this.id, backup: { namespace, name, uid }, volume, claim, plugin: this.uploader };
    const at = { location: location.name, claimUid: textAt(claim.object, 'metadata', 'uid') ?? '' };
    const spec = { ...full.spec, ...(snapshotID === '' ? {} : { pluginSpecific: { [KOPIA_SNAPSHOT]: snapshotID } }) };
    const velero = { ...podVolumeObject(backedUp, pod, at), status: podVolumeStatus({ ...full, spec }, READ_AT) };
    return { ...common, podVolumeBackup: toStored(velero), info: podVolumeInfo(velero, claim, this.#volume) };
  }
}

/** Inside the folder of the backup: nothing new may be at the top of a bucket. */
export function archiveKey(backup: string, id: string): string {
  return `${backupKeys(backup).folder}volumes/${id}.tar.zst`;
}

function sentenceOf(error: unknown): string {
  const hint = error instanceof AppError ? error.details?.['hint'] : undefined;
  return typeof hint === 'string' ? `${messageOf(error)}; ${hint}` : messageOf(error);
}
