import { VolumePluginRestore } from '../../../../api/index.ts';
import { AppError, messageOf, textAt, valueAt } from '../../../../base/index.ts';
import { CANCEL_ANNOTATION } from '../../../../core/operations/index.ts';
import { isVolumeEnded, judgeNative, readVolumePhase } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../../runtime/objects/index.ts';
import type { Wait } from '../../../operation/index.ts';
import { expectUnfilled, fillsNoMore } from './claim-mark.ts';
import { isCanceled, type Fill, type FillContext, type FillProgress, type Filling } from './fill-context.ts';
import { placeRestoreObject, restoreIdOf } from './restore-object.ts';

const LOOK_MS = 500;

/** One claim that a plugin fills which writes its object itself. Headway asks, waits, and never writes its status. */
export class NativeFill implements Fill {
  readonly #filling: Filling;
  readonly #context: FillContext;
  #progress: FillProgress;

  constructor(filling: Filling, context: FillContext) {
    this.#filling = filling;
    this.#context = context;
    this.#progress = { bytesDone: 0, totalBytes: filling.data.totalBytes };
  }

  get progress(): FillProgress {
    return this.#progress;
  }

  async fill(): Promise<string | undefined> {
    const { signal, restore } = this.#context;
    const { claim } = this.#filling;
    let problem: string | undefined;
    try {
      signal.throwIfAborted();
      const asked = await placeRestoreObject(this.#filling, this.#context);
      const phase = readVolumePhase(textAt(asked, 'status', 'phase'));
      if (!isVolumeEnded(phase)) await expectUnfilled(claim, restore, signal);
      problem = await this.#answer(asked);
      if (problem === undefined) await fillsNoMore(claim, restore, signal);
    } catch (error) {
      if (signal.aborted && !isCanceled(this.#context, signal)) throw error;
      problem = signal.aborted ? 'canceled with its restore' : messageOf(error);
      if (signal.aborted) await this.#tellCanceled();
    }
    const { bytesDone } = this.#progress;
    this.#see({ bytesDone, totalBytes: bytesDone });
    return problem;
  }

  /** Why it failed; undefined when it is done. */
  async #answer({ metadata: { name } }: KubeObject): Promise<string | undefined> {
    const { restore, signal } = this.#context;
    const { deps, operation, run } = restore;
    const { plugin } = this.#filling.data;
    const askedAt = deps.clock.uptime();
    const { itemOperationTimeout } = restore.restore.spec;
    const { claim } = this.#filling;
    const what = `plugin ${plugin} has to restore the data of claim ${claim.namespace}/${claim.name}`;
    const wait = run.wait(new AppError('timeout', what), 'slow');
    try {
      for (;;) {
        await deps.clock.sleep(LOOK_MS, signal);
        const place = { type: VolumePluginRestore, namespace: deps.namespace, name };
        const found = await operation.api(signal).call(() => readObject(place, deps, signal));
        if (found === undefined) return 'its VolumePluginRestore was deleted';
        this.#read(found);
        const waitedMs = deps.clock.uptime() - askedAt;
        const verdict = judgeNative(found as unknown as VolumePluginRestore, waitedMs, itemOperationTimeout);
        if (verdict.kind === 'ended') {
          const said = verdict.message ?? `plugin ${plugin} says ${verdict.phase}`;
          return verdict.phase === 'Completed' ? undefined : said;
        }
        if (verdict.kind === 'silent') {
          // One that comes later must not begin, and one that still works may stop.
          await this.#tellCanceled();
          return verdict.message;
        }
        explain(wait, verdict.kind === 'stalled' ? verdict : undefined);
      }
    } finally {
      wait.end();
    }
  }

  /** The status is the plugin's, so it is asked as anybody asks for an operation to end. */
  async #tellCanceled(): Promise<void> {
    const { deps, operation } = this.#context.restore;
    const target = {
      type: VolumePluginRestore,
      namespace: deps.namespace,
      name: restoreIdOf(this.#filling, this.#context),
    };
    const body = { metadata: { annotations: { [CANCEL_ANNOTATION]: 'true' } } };
    const options = { signal: operation.lasting, deadlineMs: CALL_DEADLINE_MS };
    try {
      await deps.kube.patch(target, { kind: 'merge', body }, options);
    } catch (error) {
      operation.log.warn('a plugin is not told of the cancel', {
        plugin: this.#filling.data.plugin,
        err: messageOf(error),
      });
    }
  }

  /** Whatever it writes, what is done never falls and is never more than the total. */
  #read(object: KubeObject): void {
    const done = valueAt(object, 'status', 'progress', 'bytesDone');
    const total = valueAt(object, 'status', 'progress', 'totalBytes');
    const before = this.#progress.bytesDone;
    const bytesDone = Math.max(before, typeof done === 'number' && done > 0 ? Math.floor(done) : 0);
    const isKnown = typeof total === 'number' && total >= bytesDone;
    if (bytesDone > before) this.#context.restore.run.feed({ kind: 'worked' });
    this.#see({ bytesDone, totalBytes: isKnown ? Math.floor(total) : undefined });
  }

  #see(progress: FillProgress): void {
    this.#progress = progress;
    this.#context.onProgress();
  }
}

function explain(wait: Wait, stalled: { cause: string; hint: string } | undefined): void {
  wait.explain(
    stalled === undefined ? undefined : { reason: 'PluginSilent', cause: stalled.cause, hint: stalled.hint },
  );
}
