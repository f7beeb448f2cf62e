import type { Condition } from '../../api/meta/condition.ts';
import { isAppError, type AppError, type JsonObject } from '../../base/index.ts';
import {
  feed,
  newMeter,
  stallOf,
  takeReport,
  type Meter,
  type MeterEvent,
  type Report,
} from '../../core/progress/index.ts';
import type { KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import {
  removeCondition,
  setCondition,
  StatusPublisher,
  type ConditionChange,
  type FinishResult,
  type PublisherDeps,
} from '../runtime/index.ts';
import { StageClock, type StageTime } from './stage-clock.ts';

export interface Snapshot {
  report: Report;
  conditions: Condition[];
  stages: StageTime[];
}

export interface OperationRunOptions {
  target: NamedTarget;
  /** As last read. */
  object: KubeObject;
  isOver: (object: KubeObject) => boolean;
  /** Every status field of the operation but phase and times of its end, complete at each call. */
  statusOf: (snapshot: Snapshot) => JsonObject;
  /** What status told, when another process began the operation. */
  resume?: Report | undefined;
  conditions?: readonly Condition[] | undefined;
  stages?: readonly StageTime[] | undefined;
}

/** What a run needs of everything that controllers have. */
export interface RunDeps extends PublisherDeps {
  /** Lasts as long as this process leads. */
  term(): AbortSignal;
  mayWrite(): boolean;
}

export type EndState = 'completed' | 'partiallyFailed' | 'failed' | 'canceled';

// Often enough that a change is sent within a second (law 4), whatever the work does.
const TICK_MS = 200;
/** More than a hiccup, and well below the minute that a store may be away without costing anything. */
const AWAY_LIMIT_MS = 15_000;

/** One running operation on its way into status: engines feed it and never wait for it. */
export class OperationRun {
  readonly #options: OperationRunOptions;
  readonly #deps: RunDeps;
  readonly #publisher: StatusPublisher;
  readonly #stages: StageClock;
  readonly #stop = new AbortController();
  readonly #ticking: Promise<void>;
  #meter: Meter;
  /** As it was entered. */
  #stage: Extract<MeterEvent, { kind: 'stage' }> | undefined;
  #conditions: Condition[];
  /** Why nothing moves, as far as it is known. */
  #waitsFor: AppError | undefined;

  constructor(options: OperationRunOptions, deps: RunDeps) {
    this.#options = options;
    this.#deps = deps;
    const now = deps.clock.now();
    this.#meter = feed(newMeter(now, options.resume), { kind: 'start' }, now);
    this.#conditions = [...(options.conditions ?? [])];
    this.#stages = new StageClock(options.stages ?? []);
    const { target, object, isOver } = options;
    this.#publisher = new StatusPublisher(
      {
        target,
        object,
        isOver,
        signal: deps.term(),
        mayWrite: () => deps.mayWrite(),
        statusOf: (report) => this.#status(report),
      },
      deps,
    );
    this.#ticking = this.#tick();
  }

  feed(event: MeterEvent): void {
    const now = this.#deps.clock.now();
    if (event.kind === 'stage') {
      this.#stage = event;
      this.#stages.enter(event.stage, now);
    }
    this.#meter = feed(this.#meter, event, now);
  }

  /**
   * Something outside does not answer, or takes its time; it is named as the cause once the operation counts as
   * stalled. Whoever is away is named soon: nobody needs two minutes to know that a store does not answer.
   */
  waiting(cause: AppError, how: 'away' | 'slow' = 'away'): void {
    this.#waitsFor = cause;
    if (how === 'away' && this.#stage !== undefined) {
      this.#meter = feed(this.#meter, { ...this.#stage, stallLimitMs: AWAY_LIMIT_MS }, this.#deps.clock.now());
    }
  }

  resumed(): void {
    this.#waitsFor = undefined;
    // With its own limit again.
    if (this.#stage !== undefined) this.#meter = feed(this.#meter, this.#stage, this.#deps.clock.now());
  }

  setCondition(change: ConditionChange): void {
    this.#conditions = setCondition(this.#conditions, change, this.#deps.clock.now());
  }

  get report(): Report {
    return takeReport(this.#meter, this.#deps.clock.now()).report;
  }

  /** What status would be made of now, for whoever keeps a copy of it elsewhere. */
  get snapshot(): Snapshot {
    return { report: this.report, conditions: this.#conditions, stages: this.#stages.list() };
  }

  /** The terminal phase and the last numbers as one write. */
  async finish(state: EndState, ending: JsonObject): Promise<FinishResult> {
    this.#stop.abort();
    await this.#ticking;
    this.#waitsFor = undefined;
    this.#stages.end(this.#deps.clock.now());
    this.feed({ kind: 'end', state });
    return await this.#publisher.finish(this.#take(), ending);
  }

  /** Without an end: another process, or the next attempt, goes on. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#ticking;
  }

  async #tick(): Promise<void> {
    const signal = AbortSignal.any([this.#stop.signal, this.#deps.term()]);
    while (!signal.aborted) {
      this.#publisher.publish(this.#take());
      // It rejects only when there is nothing more to publish, and the loop looks at that itself.
      await this.#deps.clock.sleep(TICK_MS, signal).catch(() => undefined);
    }
  }

  #take(): Report {
    const now = this.#deps.clock.now();
    const diagnosis = this.#waitsFor === undefined ? undefined : diagnosisOf(this.#waitsFor);
    const { meter, report } = takeReport(this.#meter, now, diagnosis === undefined ? {} : { diagnosis });
    this.#meter = meter;
    this.#tellStall(stallOf(meter, now) !== undefined, report);
    return report;
  }

  #tellStall(isStalled: boolean, { stalled }: Report): void {
    if (!isStalled || stalled === undefined) {
      this.#conditions = removeCondition(this.#conditions, 'Stalled');
      return;
    }
    const reason = this.#waitsFor === undefined ? 'NoProgress' : 'Waiting';
    // Without the seconds: a condition that changes every second would be written every second.
    this.setCondition({ type: 'Stalled', status: 'True', reason, message: `${stalled.cause}; ${stalled.hint}` });
  }

  #status(report: Report): JsonObject {
    return this.#options.statusOf({
      report,
      conditions: this.#conditions,
      stages: this.#stages.list(),
    });
  }
}

function diagnosisOf(cause: AppError): { cause: string; hint: string } {
  const hint = isAppError(cause, 'forbidden', 'unauthenticated')
    ? 'check the credentials, it goes on by itself when they work'
    : 'it goes on by itself when that answers again';
  return { cause: cause.message, hint };
}
