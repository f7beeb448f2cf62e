import { VolumePluginBackup } from '../../../../api/index.ts';
import { AppError, messageOf, objectAt, textAt, valueAt, type JsonObject } from '../../../../base/index.ts';
import { CANCEL_ANNOTATION } from '../../../../core/operations/index.ts';
import {
  answerInstead,
  judgeNative,
  nativeVolumeInfo,
  pluginBackupObject,
  toStored,
  volumeId,
  type VolumeChoice,
} from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { PluginProgress } from '../../../../edge/volumes/index.ts';
import { CALL_DEADLINE_MS, deleteObject, patchObject, readObject } from '../../../runtime/objects/index.ts';
import type { CopiedVolume } from './volume-copy.ts';
import type { VolumeContext } from './volume-context.ts';
import { placeVolumeObject, removeVolumeObjects } from './volume-objects.ts';

export type SnapshotChoice = Extract<VolumeChoice, { kind: 'snapshot' }>;

const LOOK_MS = 500;

/** The snapshot of one volume by a plugin that writes its object itself. Headway asks, waits, and never writes its status. */
export class NativeSnapshot {
  readonly id: string;
  readonly choice: SnapshotChoice;
  readonly #context: VolumeContext;
  readonly #volume: JsonObject | undefined;
  #latest: PluginProgress | undefined;
  /** The plugin's own object, where it made one. */
  #own: string | undefined;

  constructor(choice: SnapshotChoice, volume: JsonObject | undefined, context: VolumeContext) {
    const { name, uid = '' } = context.operation.object.metadata;
    this.id = volumeId({ name, uid }, choice.volume);
    this.choice = choice;
    this.#volume = volume;
    this.#context = context;
  }

  get progress(): PluginProgress | undefined {
    return this.#latest;
  }

  /** Its objects in the cluster. */
  get names(): string[] {
    return this.#own === undefined ? [this.id] : [this.id, this.#own];
  }

  /** `earlier` are the objects of an earlier attempt, whose answer is as good. Throws only when all volumes end. */
  async take(earlier: Iterable<KubeObject>): Promise<CopiedVolume> {
    const { signal } = this.#context;
    let object = this.#wanted();
    try {
      this.#own = this.#answered(earlier)?.metadata.name;
      if (this.#own === undefined) object = await placeVolumeObject(VolumePluginBackup, object, this.#context, signal);
      else await removeVolumeObjects(this.id, this.#context, signal);
      const { found, problem } = await this.#answer(object);
      return this.#told(found, problem);
    } catch (error) {
      signal.throwIfAborted();
      return this.#told(object, messageOf(error));
    }
  }

  #wanted(): KubeObject {
    const { claim, volume, plugin } = this.choice;
    const { name, namespace = '', uid = '' } = this.#context.operation.object.metadata;
    const backedUp = { id: this.id, backup: { namespace, name, uid }, volume, claim, plugin };
    return pluginBackupObject(backedUp, true) as unknown as KubeObject;
  }

  async #answer(request: KubeObject): Promise<{ found: KubeObject; problem: string | undefined }> {
    const { operation, deps, signal, spec } = this.#context;
    const { clock } = deps;
    const api = operation.api(signal);
    const askedAt = clock.uptime();
    const what = `plugin ${this.choice.plugin} has to take the snapshot of volume ${this.choice.volume}`;
    const wait = operation.run.wait(new AppError('timeout', what), 'slow');
    try {
      for (;;) {
        await clock.sleep(LOOK_MS, signal);
        const place = { type: VolumePluginBackup, namespace: deps.namespace, name: this.#own ?? this.id };
        const found = await api.call(() => readObject(place, deps, signal));
        if (found === undefined) return { found: request, problem: 'its VolumePluginBackup was deleted' };
        if (this.#own === undefined && textAt(found, 'status', 'phase') === undefined) {
          const other = await api.call(() => this.#instead(found));
          if (other !== undefined) {
            await api.call(() => this.#adopt(other));
            await api.call(() => deleteObject({ type: VolumePluginBackup, object: found, deps, signal }));
            this.#own = other.metadata.name;
            continue;
          }
        }
        this.#see(found);
        const waitedMs = clock.uptime() - askedAt;
        const verdict = judgeNative(found as unknown as VolumePluginBackup, waitedMs, spec.itemOperationTimeout);
        if (verdict.kind === 'ended') {
          const isThere = verdict.phase === 'Completed';
          const message = verdict.message ?? `plugin ${this.choice.plugin} says ${verdict.phase}`;
          return { found, problem: isThere ? undefined : message };
        }
        if (verdict.kind === 'silent') {
          await api.call(() => this.#giveUp(found));
          return { found, problem: verdict.message };
        }
        const { cause, hint } = verdict.kind === 'stalled' ? verdict : { cause: '', hint: '' };
        wait.explain(cause === '' ? undefined : { reason: 'PluginSilent', cause, hint });
      }
    } finally {
      wait.end();
    }
  }

  /** What the plugin made by itself in an earlier attempt; it belongs to the backup since. */
  #answered(earlier: Iterable<KubeObject>): KubeObject | undefined {
    const { volume, plugin } = this.choice;
    return [...earlier].find(
      (object) =>
        object.metadata.name !== this.id &&
        textAt(object, 'spec', 'volume') === volume &&
        textAt(object, 'spec', 'plugin') === plugin,
    );
  }

  async #instead(request: KubeObject): Promise<KubeObject | undefined> {
    const { deps, signal } = this.#context;
    const others: VolumePluginBackup[] = [];
    for await (const { items } of deps.kube.list({ type: VolumePluginBackup, namespace: deps.namespace }, { signal })) {
      for (const item of items) others.push(item as unknown as VolumePluginBackup);
    }
    return answerInstead(request as unknown as VolumePluginBackup, others) as unknown as KubeObject | undefined;
  }

  /** The plugin's own object goes with the backup as ours would. Its status stays its own. */
  async #adopt({ metadata }: KubeObject): Promise<void> {
    const { deps, signal } = this.#context;
    const { labels, annotations, ownerReferences } = this.#wanted().metadata as unknown as JsonObject;
    const target = { type: VolumePluginBackup, namespace: deps.namespace, name: metadata.name };
    const body = { metadata: { labels, annotations, ownerReferences } } as JsonObject;
    await deps.kube.patch(target, { kind: 'merge', body }, { signal, deadlineMs: CALL_DEADLINE_MS });
  }

  /** Whoever reads the request later must not begin. */
  async #giveUp(request: KubeObject): Promise<void> {
    const { deps, signal } = this.#context;
    const metadata = { annotations: { [CANCEL_ANNOTATION]: 'true' } };
    await patchObject({ type: VolumePluginBackup, object: request, deps, signal }, { metadata });
  }

  #see(object: KubeObject): void {
    const progress = objectAt(object, 'status', 'progress');
    const [done, total] = [valueAt(progress, 'bytesDone'), valueAt(progress, 'totalBytes')];
    const bytesDone = Math.max(
      this.#latest?.bytesDone ?? 0,
      typeof done === 'number' && done > 0 ? Math.floor(done) : 0,
    );
    const isKnown = typeof total === 'number' && total >= bytesDone;
    if (bytesDone > (this.#latest?.bytesDone ?? 0)) this.#context.operation.run.feed({ kind: 'worked' });
    this.#latest = { bytesDone, ...(isKnown ? { totalBytes: Math.floor(total) } : {}) };
    this.#context.onProgress();
  }

  #told(object: KubeObject, problem: string | undefined): CopiedVolume {
    const { claim } = this.choice;
    const bytesDone = this.#latest?.bytesDone ?? 0;
    this.#latest = { bytesDone, totalBytes: bytesDone };
    this.#context.onProgress();
    const full = { status: {}, ...object } as unknown as VolumePluginBackup;
    return {
      claim: { namespace: claim.namespace, name: claim.name },
      isThere: problem === undefined,
      ...(problem === undefined ? {} : { problem }),
      pluginBackup: toStored(full),
      info: nativeVolumeInfo(full, claim, this.#volume),
    };
  }
}
