import type { JsonObject } from '../../../base/index.ts';
import { phaseAt, type ActionSetStatus, type PhaseRef, type PhaseStatus } from '../../../core/action/index.ts';
import { estimate, exact, toStatusProgress, UNKNOWN } from '../../../core/progress/index.ts';
import { runningStatus, type OperationRun, type Snapshot } from '../../operation/index.ts';

/** The status of a running set: changed by its phases, and told to the operation's run, which writes it. */
export class LiveStatus {
  readonly #run: OperationRun;
  #status: ActionSetStatus;

  constructor(status: ActionSetStatus, run: OperationRun) {
    this.#status = status;
    this.#run = run;
    this.#tell();
  }

  get current(): ActionSetStatus {
    return this.#status;
  }

  phase(ref: PhaseRef): PhaseStatus {
    return phaseAt(this.#status, ref) ?? {};
  }

  /** It is written within a second, or with the next `store`. */
  change(next: ActionSetStatus): void {
    if (next === this.#status) return;
    this.#status = next;
    this.#tell();
    // Of a deferPhase no number of the set tells anything.
    this.#run.feed({ kind: 'worked' });
  }

  /** Every field that the engine owns. */
  statusOf(snapshot: Snapshot): JsonObject {
    const { conditions, waits } = runningStatus(snapshot);
    const { state, startTimestamp, completionTimestamp, actions, error, progress } = this.#status;
    const numbers = toStatusProgress(snapshot.report);
    return {
      ...{ state, startTimestamp, completionTimestamp, conditions, waits },
      progress: { ...numbers, ...progress, percent: progress?.percent },
      actions,
      error,
    };
  }

  #tell(): void {
    const { progress = {}, actions = [] } = this.#status;
    const phases = actions.flatMap((action) => action.phases ?? []);
    if (phases.length > 0) {
      const done = phases.filter(({ state }) => state === 'complete').length;
      this.#run.feed({ kind: 'measure', unit: 'phases', done, total: exact(phases.length) });
      this.#run.feed({ kind: 'mean', percent: Number(progress.percentCompleted ?? 0) });
    }
    const { sizeUploadedB = 0, sizeDownloadedB = 0, estimatedUploadSizeB = 0, estimatedDownloadSizeB = 0 } = progress;
    const [moved, all] = [sizeUploadedB + sizeDownloadedB, estimatedUploadSizeB + estimatedDownloadSizeB];
    if (moved > 0 || all > 0) {
      this.#run.feed({ kind: 'measure', unit: 'bytes', done: moved, total: all === 0 ? UNKNOWN : estimate(all) });
    }
    this.#run.feed({ kind: 'current', current: progress.runningPhase ?? '' });
  }
}
