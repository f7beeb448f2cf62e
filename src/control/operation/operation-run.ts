import type { Condition } from '../../api/meta/condition.ts';
import { AppError, isAppError, type JsonObject } from '../../base/index.ts';
import {
  feed,
  newMeter,
  stallOf,
  takeReport,
  type ChildReport,
  type Meter,
  type MeterEvent,
  type Report,
  type ReportExtras,
  type Step,
} from '../../core/progress/index.ts';
import type { KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import {
  removeCondition,
  setCondition,
  StatusPublisher,
  timeLimit,
  type Commitment,
  type ConditionChange,
  type FinishResult,
  type PublisherDeps,
} from '../runtime/index.ts';
import { StageClock, type StageTime } from './stage-clock.ts';
import { Questions } from './questions.ts';
import { Waits, type OpenWait, type Wait, type WaitKind } from './waits.ts';

/** Everything that status reports about an operation at one moment. */
export interface Snapshot {
  report: Report;
  conditions: readonly Condition[];
  stages: readonly StageTime[];
}

export interface OperationRunOptions {
  target: NamedTarget;
  /** As last read. */
  object: KubeObject;
  isOver: (object: KubeObject) => boolean;
  /** Every status field of the operation except its final phase and end time, complete at each call. */
  statusOf: (snapshot: Snapshot) => JsonObject;
  /** Ends all writing: this process has stopped leading, or the operation was handed over. */
  writes: AbortSignal;
  /** The last report in status, if another process began the operation. */
  resume?: Report | undefined;
  conditions?: readonly Condition[] | undefined;
  stages?: readonly StageTime[] | undefined;
  /** While nothing advances, `current` says every second what is waited for, and for how long, until it is stalled. */
  tellsWaits?: boolean | undefined;
}

export interface RunDeps extends PublisherDeps {
  mayWrite(): boolean;
}

export type EndState = 'completed' | 'partiallyFailed' | 'failed' | 'canceled';

// Often enough that a change is sent within a second (law 4), whatever the work does.
const TICK_MS = 200;
/** More than a hiccup, and well below the minute that a store may be unreachable without consequences. */
const AWAY_STALL_LIMIT_MS = 15_000;
/** What the cluster itself says is in the way needs no second thought. */
const EXPLAINED_STALL_LIMIT_MS = 10_000;
/** Shorter waits are not shown. */
const SHORT_WAIT_MS = 3_000;
/** Soon enough that nobody sees nothing for two seconds, and longer than work is silent by itself. */
const IDLE_MS = 1_500;
/** Work that waits for a record must not wait forever. */
const COMMIT_LIMIT_MS = 10 * 60_000;
/** In status; an operation may wait for hundreds of pods at once. */
const MAX_WAITS = 20;

/** Publishes one running operation to its status: engines feed it and never wait for it. */
export class OperationRun {
  readonly #options: OperationRunOptions;
  readonly #deps: RunDeps;
  readonly #publisher: StatusPublisher;
  readonly #stages: StageClock;
  readonly #stop = new AbortController();
  readonly #waits = new Waits(() => {
    this.#setStallLimit();
  });
  readonly #questions: Questions;
  #ticking: Promise<void> | undefined;
  #meter: Meter;
  /** The last stage event, to restore its stall limit after a wait. */
  #stage: Extract<MeterEvent, { kind: 'stage' }> | undefined;
  #conditions: readonly Condition[];
  #children: readonly ChildReport[] = [];
  #pipeline: readonly Step[] = [];

  constructor(options: OperationRunOptions, deps: RunDeps) {
    this.#options = options;
    this.#deps = deps;
    const now = deps.clock.now();
    this.#meter = feed(newMeter(now, options.resume), { kind: 'start' }, now);
    this.#conditions = [...(options.conditions ?? [])];
    this.#stages = new StageClock(options.stages ?? []);
    this.#questions = new Questions(this.#waits, deps, AbortSignal.any([this.#stop.signal, options.writes]));
    this.#publisher = new StatusPublisher(
      {
        target: options.target,
        object: options.object,
        isOver: options.isOver,
        signal: options.writes,
        mayWrite: () => deps.mayWrite(),
        statusOf: (report) => options.statusOf(this.#snapshotOf(report)),
      },
      deps,
    );
  }

  /** From here on it writes, so everything that `statusOf` needs must be there. */
  start(): void {
    this.#ticking ??= this.#tick();
  }

  feed(event: MeterEvent): void {
    const now = this.#deps.clock.now();
    if (event.kind === 'stage') {
      this.#stage = event;
      this.#stages.enter(event.stage, now);
    }
    this.#meter = feed(this.#meter, event, now);
    if (event.kind === 'stage') this.#setStallLimit();
  }

  /**
   * Something outside does not answer (`away`), or is slow (`slow`). It is named as the cause once the operation counts
   * as stalled. For `away` that is soon: nobody needs two minutes to learn that a store does not answer.
   */
  wait(cause: AppError, kind: WaitKind): Wait {
    return this.#waits.begin(cause, kind, this.#deps.clock.now());
  }

  setCondition(change: ConditionChange): void {
    this.#conditions = setCondition(this.#conditions, change, this.#deps.clock.now());
  }

  removeCondition(type: string): void {
    this.#conditions = removeCondition(this.#conditions, type);
  }

  setChildren(children: readonly ChildReport[]): void {
    this.#children = children;
  }

  setPipeline(steps: readonly Step[]): void {
    this.#pipeline = steps;
  }

  /** Record before act: resolves when these fields are stored, together with the current report. */
  async commit(commitment: Commitment, signal: AbortSignal): Promise<void> {
    const { name } = this.#options.target;
    const late = new AppError('timeout', `record in the status of ${name}: it could not be written for too long`);
    const wait = this.wait(new AppError('timeout', `the status of ${name} has to be written first`), 'away');
    const limit = timeLimit(signal, COMMIT_LIMIT_MS, { clock: this.#deps.clock, late: () => late });
    try {
      await this.#publisher.commit(this.#takeReport(), commitment, limit.signal);
    } finally {
      limit.end();
      wait.end();
    }
  }

  /** Something has changed that should not wait for the next look; the publisher keeps its rate. */
  tell(): void {
    if (this.#ticking !== undefined && !this.#stop.signal.aborted) this.#publisher.publish(this.#takeReport());
  }

  get report(): Report {
    return takeReport(this.#meter, this.#deps.clock.now(), this.#parts()).report;
  }

  /** The data for the current status, for a copy of it stored elsewhere. */
  get snapshot(): Snapshot {
    return this.#snapshotOf(this.report);
  }

  /** Writes the terminal phase and the last numbers in one write. */
  async finish(state: EndState, ending: JsonObject, finalizer?: Commitment['finalizer']): Promise<FinishResult> {
    await this.leave();
    this.#waits.clear();
    this.#stages.end(this.#deps.clock.now());
    this.feed({ kind: 'end', state });
    return await this.#publisher.finish(this.#takeReport(), ending, finalizer);
  }

  /** Stops without an end: another process, or the next attempt, continues. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#ticking;
  }

  async #tick(): Promise<void> {
    const signal = AbortSignal.any([this.#stop.signal, this.#options.writes]);
    while (!signal.aborted) {
      this.#questions.tick(this.#meter.lastProgressAt, this.#deps.clock.now());
      this.#publisher.publish(this.#takeReport());
      // It rejects only when there is nothing more to publish, which the loop checks itself.
      await this.#deps.clock.sleep(TICK_MS, signal).catch(() => undefined);
    }
  }

  #takeReport(): Report {
    const now = this.#deps.clock.now();
    const { foremost } = this.#waits;
    const diagnosis = foremost === undefined ? {} : { diagnosis: diagnosisOf(foremost) };
    const { meter, report } = takeReport(this.#meter, now, { ...this.#parts(), ...diagnosis });
    this.#meter = meter;
    this.#setStalled(stallOf(meter, now) !== undefined, report);
    return this.#withWait(report, now);
  }

  #withWait(report: Report, now: number): Report {
    const { foremost } = this.#waits;
    const idleMs = now - this.#meter.lastProgressAt;
    if (this.#options.tellsWaits !== true || foremost === undefined || idleMs < IDLE_MS) return report;
    if (report.state !== 'running' || report.stalled !== undefined) return report;
    const { cause } = diagnosisOf(foremost);
    return { ...report, current: `${cause}, for ${Math.floor(idleMs / 1000)} s` };
  }

  #setStalled(isStalled: boolean, { stalled }: Report): void {
    if (!isStalled || stalled === undefined) {
      this.removeCondition('Stalled');
      return;
    }
    const { foremost } = this.#waits;
    const reason = foremost === undefined ? 'NoProgress' : (foremost.explanation?.reason ?? 'Waiting');
    // Without the seconds: a condition that changes every second would be written every second.
    this.setCondition({ type: 'Stalled', status: 'True', reason, message: `${stalled.cause}; ${stalled.hint}` });
  }

  /** Uses the stage's own limit, unless something is known to be in the way. */
  #setStallLimit(): void {
    if (this.#stage === undefined) return;
    const known = this.#waits.isAway ? { stallLimitMs: AWAY_STALL_LIMIT_MS } : {};
    const limit = this.#waits.isExplained ? { stallLimitMs: EXPLAINED_STALL_LIMIT_MS } : known;
    this.#meter = feed(this.#meter, { ...this.#stage, ...limit }, this.#deps.clock.now());
  }

  #parts(): Required<Pick<ReportExtras, 'children' | 'pipeline' | 'waits'>> {
    const now = this.#deps.clock.now();
    const waits = this.#waits
      .list()
      .filter(({ since }) => now - since >= SHORT_WAIT_MS)
      .slice(0, MAX_WAITS)
      .map(({ explanation, cause, since }) => ({
        cause: explanation?.cause ?? cause.message,
        since: new Date(since).toISOString(),
      }));
    return { children: this.#children, pipeline: this.#pipeline, waits };
  }

  #snapshotOf(report: Report): Snapshot {
    return { report, conditions: this.#conditions, stages: this.#stages.list() };
  }
}

function diagnosisOf({ cause, explanation }: OpenWait): { cause: string; hint: string } {
  if (explanation !== undefined) return { cause: explanation.cause, hint: explanation.hint };
  const hint = isAppError(cause, 'forbidden', 'unauthenticated')
    ? 'check the credentials: it continues when they work'
    : 'it continues when that answers again';
  return { cause: cause.message, hint };
}
