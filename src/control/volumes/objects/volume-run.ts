import type { ResourceType } from '../../../api/index.ts';
import { objectAt, objectsAt, textAt, valueAt, type AppError, type JsonObject } from '../../../base/index.ts';
import type { Condition } from '../../../api/meta/condition.ts';
import {
  estimate,
  exact,
  fromStatusProgress,
  present,
  toStatusProgress,
  UNKNOWN,
} from '../../../core/progress/index.ts';
import { isVolumeEnded, readVolumePhase, type VolumePhase } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { PluginProgress } from '../../../edge/volumes/index.ts';
import { OperationRun, type Snapshot, type Wait } from '../../operation/index.ts';
import type { PublisherDeps } from '../../runtime/index.ts';
import { toTime } from '../../runtime/objects/index.ts';

/** An object that shows a volume. Several may show the same one: ours, and Velero's. */
export interface ShownVolume {
  type: ResourceType;
  object: KubeObject;
  /** Its status from ours; the same if absent. */
  statusOf?: (status: JsonObject) => JsonObject;
}

export interface VolumeRunDeps extends PublisherDeps {
  mayWrite(): boolean;
}

/** Clocks of the same minute are the same: Kubernetes' times have whole seconds. */
const SAME_CLOCK_MS = 2_000;
const MAX_NOTES = 5;

export type VolumeEnd =
  | { phase: 'Completed'; progress: PluginProgress; checksum?: string | undefined }
  | { phase: 'Failed' | 'Canceled'; message: string };

/**
 * One volume's work, from New to its end, as everybody sees it: bytes, rate, time left and what is in the way, at most
 * one write a second. It resumes where its object says, and its percent never falls.
 */
export class VolumeRun {
  readonly #runs: OperationRun[];
  readonly #deps: VolumeRunDeps;
  readonly #own: JsonObject;
  /** How much the API server's clock is ahead of ours. */
  readonly #aheadMs: number;
  readonly #notes: string[] = [];
  #attempt: number | undefined;
  #startedAt: string | undefined;
  #progress: PluginProgress = { bytesDone: 0 };
  #phase: VolumePhase;

  /** `own` are fields of the first object's status that never change, such as snapshotID. `readAt` is when it was read. */
  constructor(
    shown: readonly [ShownVolume, ...ShownVolume[]],
    options: { own: JsonObject; readAt: number; writes: AbortSignal },
    deps: VolumeRunDeps,
  ) {
    const [{ object }] = shown;
    this.#deps = deps;
    this.#own = options.own;
    const ahead = Date.parse(object.metadata.creationTimestamp ?? '') - options.readAt;
    const isNew = valueAt(object, 'status', 'startTimestamp') === undefined;
    this.#aheadMs = isNew && Math.abs(ahead) > SAME_CLOCK_MS ? ahead : 0;
    this.#startedAt = textAt(object, 'status', 'startTimestamp');
    this.#phase = readVolumePhase(textAt(object, 'status', 'phase')) ?? 'New';
    const attempt = valueAt(object, 'status', 'attempt');
    if (typeof attempt === 'number') this.#attempt = attempt;
    this.#runs = shown.map((one) => this.#runOf(one, options.writes));
  }

  /** A mover is about to work; resolves when that is stored, so that the next process finds it. */
  async begin(attempt: number, signal: AbortSignal): Promise<void> {
    const isAnother = this.#attempt !== undefined && this.#attempt !== attempt;
    this.#attempt = attempt;
    this.#phase = 'InProgress';
    this.#startedAt ??= toTime(this.#now());
    for (const run of this.#runs) {
      // Counts begin again, the percent stays.
      if (isAnother) run.feed({ kind: 'attempt', unit: 'bytes' });
      run.feed({ kind: 'stage', stage: 'volumes' });
      run.start();
    }
    await Promise.all(this.#runs.slice(0, 1).map((run) => run.commit({ status: { attempt } }, signal)));
  }

  progress(progress: PluginProgress): void {
    const { bytesDone, totalBytes, bytesVerified = 0, current } = progress;
    const hasVerified = bytesVerified > (this.#progress.bytesVerified ?? 0);
    this.#progress = progress;
    const total = totalBytes === undefined ? UNKNOWN : estimate(totalBytes);
    for (const run of this.#runs) {
      run.feed({ kind: 'measure', unit: 'bytes', done: bytesDone, total });
      if (current !== undefined) run.feed({ kind: 'current', current });
      // Reading checksums is work, although no byte is copied by it.
      if (hasVerified) run.feed({ kind: 'worked' });
      run.tell();
    }
  }

  note(text: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(text);
  }

  setCondition(condition: Parameters<OperationRun['setCondition']>[0]): void {
    for (const run of this.#runs) run.setCondition(condition);
  }

  wait(cause: AppError): Wait {
    const waits = this.#runs.map((run) => run.wait(cause, 'slow'));
    const all = (act: (wait: Wait) => void): void => {
      waits.forEach(act);
    };
    return {
      tell: (next) => {
        all((wait) => {
          wait.tell(next);
        });
      },
      explain: (why) => {
        all((wait) => {
          wait.explain(why);
        });
      },
      explainWith: (ask) => {
        all((wait) => {
          wait.explainWith(ask);
        });
      },
      end: () => {
        all((wait) => {
          wait.end();
        });
      },
    };
  }

  /** The last numbers and the phase in one write. Returns the status of the first object as it was written. */
  async finish(end: VolumeEnd): Promise<JsonObject> {
    this.#phase = end.phase;
    if (end.phase === 'Completed') {
      // A program may have rounded up what it printed on the way, and what is done never falls.
      const bytesDone = Math.max(this.#progress.bytesDone, end.progress.bytesDone);
      this.#progress = { ...end.progress, bytesDone };
      for (const run of this.#runs)
        run.feed({ kind: 'measure', unit: 'bytes', done: bytesDone, total: exact(bytesDone) });
    } else if (end.phase === 'Canceled') {
      const canceled = { type: 'Canceled', status: 'True', reason: 'Canceled', message: end.message } as const;
      for (const run of this.#runs) run.setCondition(canceled);
    }
    const message = end.phase === 'Completed' ? this.#notes.join('; ') : end.message;
    const checksum = end.phase === 'Completed' ? end.checksum : undefined;
    const ending: JsonObject = {
      phase: end.phase,
      completionTimestamp: toTime(this.#now()),
      ...(message === '' ? {} : { message }),
      ...(checksum === undefined ? {} : { checksum }),
    };
    this.#ending = ending;
    const state = end.phase === 'Completed' ? 'completed' : end.phase === 'Failed' ? 'failed' : 'canceled';
    await Promise.all(this.#runs.map((run) => run.finish(state, {})));
    return this.#statusOf((this.#runs[0] as OperationRun).snapshot);
  }

  /** Only this process stops. */
  async leave(): Promise<void> {
    await Promise.all(this.#runs.map((run) => run.leave()));
  }

  #ending: JsonObject = {};

  #runOf({ type, object, statusOf = (status) => status }: ShownVolume, writes: AbortSignal): OperationRun {
    const { name, namespace } = object.metadata;
    const status = objectAt(object, 'status');
    const startedAt = textAt(status, 'startTimestamp');
    return new OperationRun(
      {
        target: { type, name, ...(namespace === undefined ? {} : { namespace }) },
        object,
        isOver: (found) => isVolumeEnded(readVolumePhase(textAt(found, 'status', 'phase'))),
        statusOf: (snapshot) => statusOf(this.#statusOf(snapshot)),
        writes,
        tellsWaits: true,
        ...(startedAt === undefined
          ? {}
          : { resume: fromStatusProgress(objectAt(status, 'progress'), { state: 'running', startedAt }) }),
        conditions: objectsAt(status, 'conditions') as unknown as Condition[],
      },
      this.#deps,
    );
  }

  #statusOf({ report, conditions }: Snapshot): JsonObject {
    const { bytesReused, bytesUploaded, filesDone } = this.#progress;
    const fields: Record<string, JsonObject[string] | undefined> = {
      ...this.#own,
      phase: this.#phase,
      startTimestamp: this.#startedAt,
      attempt: this.#attempt,
      progress: { ...toStatusProgress(report) },
      conditions: conditions.map((condition): JsonObject => ({ ...condition })),
      reusedBytes: bytesReused,
      uploadedBytes: bytesUploaded,
      fileCount: filesDone,
      ...this.#ending,
    };
    return present(fields);
  }

  #now(): number {
    return this.#deps.clock.now() + this.#aheadMs;
  }
}
