import { ActionSet } from '../../../api/index.ts';
import { AppError, isEqual, messageOf, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import {
  begunStatus,
  failures,
  finishedStatus,
  nextSteps,
  phaseFailed,
  renderArtifacts,
  type ActionSetStatus,
  type ActionSpec,
  type ActionStatus,
  type PhaseRef,
  type Step,
  type WorkloadFacts,
} from '../../../core/action/index.ts';
import type { Ending, Operation, Snapshot, Work } from '../../operation/index.ts';
import { childAbort, type ChildAbort } from '../../runtime/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import { removeJobSecrets } from '../functions/data/job-secret.ts';
import { readFacts } from '../params/read-facts.ts';
import type { ActionDeps } from './deps.ts';
import { DeferSignals } from './defer-signals.ts';
import { FINALIZER } from './finalizer.ts';
import { LiveStatus } from './live-status.ts';
import { removeJobPods } from './job-pods.ts';
import { PhaseEvents } from './phase-events.ts';
import { ActionPhases } from './phase-facts.ts';
import { PhaseRunner } from './phase-runner.ts';
import { hasChanged, readPlan } from './plan.ts';
import { renderingOf } from '../params/rendering.ts';
import { whereOf, type RunningAction } from './running-action.ts';
import { artifactsProblem } from './status-size.ts';

const LOOK_FOR_EDITS_MS = 500;
const EDITED = 'the ActionSet was edited after it began; create another one instead';
const NO_FINALIZER = { name: FINALIZER, isWanted: false } as const;

interface Running {
  signal: AbortSignal;
  /** A deferPhase has a context of its own. */
  deferring: DeferSignals;
  isCanceled?: boolean;
}

/** One attempt at an ActionSet: its actions side by side, the phases of each one after the other. */
export class ActionSetWork implements Work {
  readonly #operation: Operation;
  readonly #deps: ActionDeps;
  readonly #set: ActionSet;
  readonly #live: LiveStatus;
  readonly #events: PhaseEvents;
  readonly #runner: PhaseRunner;
  #actions: (RunningAction | { problem: string })[] = [];
  /** An earlier process began it: of a phase that cannot even be rendered any more nobody knows which pods it had. */
  #isResumed = false;
  /** Pods or Secrets that could not be removed: the finalizer stays, and they are tried again after the end. */
  #hasLeft = false;

  constructor(operation: Operation, deps: ActionDeps) {
    this.#operation = operation;
    this.#deps = deps;
    this.#set = ActionSet.parse(operation.object).value;
    this.#live = new LiveStatus(begunStatus(this.#set.status, toTime(deps.clock.now())), operation.run);
    this.#events = new PhaseEvents(operation, deps);
    this.#runner = new PhaseRunner({ operation, deps, live: this.#live, events: this.#events });
  }

  statusOf(snapshot: Snapshot): JsonObject {
    return this.#live.statusOf(snapshot);
  }

  summary(): string {
    const { actions = [] } = this.#live.current;
    const phases = actions.flatMap((action) => action.phases ?? []);
    const done = phases.filter(({ state }) => state === 'complete').length;
    return `${String(done)} of ${String(phases.length)} phases complete`;
  }

  async perform(signal: AbortSignal): Promise<Ending> {
    await this.#open(signal);
    const inner = childAbort(signal);
    if (this.#isEdited()) inner.abort(new AppError('invalid', EDITED));
    const watching = this.#watchEdits(inner);
    const deferring = new DeferSignals(signal, this.#operation.lasting, this.#deps.clock);
    try {
      await this.#runAll(inner.signal, { deferring });
    } catch (error) {
      signal.throwIfAborted();
      if (!inner.signal.aborted) throw error;
      // Somebody edited the set: it ends here, but what it began is put in order.
      await this.#endRunning(EDITED, signal);
      await this.#runAll(signal, { deferring, isCanceled: true });
      return await this.#finish({ problem: EDITED }, signal);
    } finally {
      inner.abort(new AppError('canceled', 'the set has ended'));
      inner.unlink();
      deferring.end();
      await watching;
    }
    return await this.#finish({}, signal);
  }

  async breakOff({ stop, ending }: Parameters<Work['breakOff']>[0]): Promise<undefined> {
    const { lasting, run } = this.#operation;
    if (this.#actions.length === 0) await this.#open(lasting);
    await this.#endRunning(ending.reason ?? 'canceled', lasting);
    const deferring = DeferSignals.limited(lasting, this.#deps.clock);
    try {
      await this.#runAll(lasting, { deferring, isCanceled: true });
    } finally {
      deferring.end();
    }
    const isCanceled = stop !== undefined;
    const ended = finishedStatus(this.#live.current, { now: this.#now(), isCanceled: true, artifacts: () => ({}) });
    const reason = isCanceled ? 'canceled' : [ending.reason, ...failures(this.#live.current)].join('; ');
    this.#live.change({ ...ended, error: { message: reason } });
    Object.assign(ending, this.#finalizer);
    // Its object waits for nothing else.
    if (stop === 'deleted') await run.commit(this.#finalizer, lasting);
  }

  onEnded({ state }: Ending): void {
    if (state === 'completed') this.#events.ended(this.#operation.object.metadata.name);
  }

  /** Reads what the actions need; what cannot be had becomes the problem of the action that needs it. */
  async #open(signal: AbortSignal): Promise<void> {
    const { object } = this.#operation;
    const { namespace = '' } = object.metadata;
    const api = this.#operation.api(signal);
    const { kube } = this.#deps;
    const plan = await readPlan(this.#set.spec.actions ?? [], { kube, api, signal, namespace });
    const { actions: statuses = [], startTimestamp = this.#now() } = this.#live.current;
    const isNew = statuses.every(({ phases = [] }) => phases.every(({ state }) => state === 'pending'));
    this.#isResumed = !isNew;
    this.#actions = await Promise.all(
      statuses.map(async (status, index): Promise<RunningAction | { problem: string }> => {
        const planned = plan[index];
        if (planned === undefined || !isSameAction(planned.spec, status)) return { problem: EDITED };
        if ('problem' in planned) return planned;
        const { spec, action } = planned;
        if (hasChanged(action, status))
          return { problem: `Blueprint ${spec.blueprint ?? ''} was changed while it ran` };
        const workload = status.workload as unknown as WorkloadFacts | undefined;
        const { inputs, problems } = await readFacts(spec, {
          ...{ kube, api, signal, namespace, time: startTimestamp, workload },
        });
        if (inputs === undefined || (isNew && problems.length > 0)) return { problem: problems.join('; ') };
        for (const problem of problems) this.#operation.log.warn('something is gone meanwhile', { problem });
        const phases = new ActionPhases();
        const running: RunningAction = {
          ...{ index, spec, action, inputs, phases },
          status: () => this.#live.current.actions?.[index] ?? {},
        };
        await phases.recall(action, status, {
          ...{ kube, api, signal, namespace, log: this.#operation.log, facts: inputs.facts },
          renderingOf: (facts) => renderingOf(facts, whereOf(running), this.#deps.clock),
        });
        if (isNew) this.#events.startedAction(running);
        return running;
      }),
    );
    this.#keepWorkloads();
  }

  /** While nobody ran it: what is written there is not what was begun. */
  #isEdited(): boolean {
    const specs = this.#set.spec.actions ?? [];
    const { actions = [] } = this.#live.current;
    return (
      specs.length !== actions.length || actions.some((status, index) => !isSameAction(specs[index] ?? {}, status))
    );
  }

  /** Templates see the pods as they were at the beginning, also after a restart, when they may have been scaled away. */
  #keepWorkloads(): void {
    const { current } = this.#live;
    const actions = (current.actions ?? []).map((status, index) => {
      const action = this.#actions[index];
      const workload = action !== undefined && 'inputs' in action ? action.inputs.facts.workload : undefined;
      return workload === undefined || status.workload !== undefined
        ? status
        : { ...status, workload: { ...workload } };
    });
    if (actions.length > 0) this.#live.change({ ...current, actions: actions as ActionSetStatus['actions'] });
  }

  /** Every action until nothing is left of it to do. Throws what the signal was aborted with. */
  async #runAll(signal: AbortSignal, { deferring, isCanceled = false }: Omit<Running, 'signal'>): Promise<void> {
    signal.throwIfAborted();
    const ends = await Promise.allSettled(
      this.#actions.map((action, index) => this.#runAction(action, index, { signal, deferring, isCanceled })),
    );
    signal.throwIfAborted();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #runAction(
    action: RunningAction | { problem: string },
    index: number,
    { isCanceled = false, signal, deferring }: Running,
  ): Promise<void> {
    for (;;) {
      const step = this.#nextStep(index, isCanceled);
      if (step === undefined) return;
      if ('problem' in action) this.#fail(step.ref, action.problem);
      else if (step.ref.phase === 'defer') await this.#runner.run(action, step.ref, deferring);
      else await this.#runner.run(action, step.ref, { signal });
    }
  }

  #nextStep(index: number, isCanceled: boolean): Exclude<Step, { kind: 'finish' }> | undefined {
    const steps = nextSteps(this.#live.current, { isCanceled });
    return steps.filter((step) => step.kind !== 'finish').find(({ ref }) => ref.action === index);
  }

  #fail(ref: PhaseRef, reason: string): void {
    this.#live.change(phaseFailed(this.#live.current, ref, { reason, now: this.#now() }));
  }

  /** Phases that run when the set is broken off: their pods go, and they have failed. */
  async #endRunning(reason: string, signal: AbortSignal): Promise<void> {
    const { actions = [] } = this.#live.current;
    const running = actions.flatMap(({ phases = [] }, action) =>
      phases.flatMap(({ state }, phase): PhaseRef[] => (state === 'running' ? [{ action, phase }] : [])),
    );
    if (running.length === 0) return;
    await this.#removeWorkers(signal);
    for (const ref of running) this.#fail(ref, reason);
  }

  /** What cannot be removed must not keep deferPhase from running, nor the set from ending. */
  async #removeWorkers(signal: AbortSignal): Promise<void> {
    const { object, log } = this.#operation;
    const api = this.#operation.api(signal);
    try {
      await api.call(() => removeJobPods(object, this.#deps, signal));
      await api.call(() => removeJobSecrets(object, this.#deps, signal));
    } catch (error) {
      signal.throwIfAborted();
      this.#hasLeft = true;
      log.warn('pods or Secrets are left behind, and tried again when the set has ended', { err: messageOf(error) });
    }
  }

  /** It goes with the end, unless something is left to remove. */
  get #finalizer(): Pick<Ending, 'finalizer'> {
    return this.#hasLeft ? {} : { finalizer: NO_FINALIZER };
  }

  async #finish({ problem }: { problem?: string }, signal: AbortSignal): Promise<Ending> {
    // Of an action whose Blueprint is gone nobody knows which pods it had.
    if (this.#isResumed || this.#actions.some((action) => 'problem' in action)) await this.#removeWorkers(signal);
    const before = this.#live.current;
    const artifacts = (status: NonNullable<ActionSetStatus['actions']>[number], index: number) => {
      const action = this.#actions[index];
      if (action === undefined || 'problem' in action) return { problem: action?.problem ?? 'the action is gone' };
      const facts = action.phases.facts(action.inputs.facts, status);
      try {
        return renderArtifacts(status.artifacts ?? {}, renderingOf(facts, whereOf(action), this.#deps.clock));
      } catch (error) {
        return { problem: messageOf(error) };
      }
    };
    const rendered = finishedStatus(before, { now: this.#now(), isCanceled: false, artifacts });
    const tooLarge = artifactsProblem(rendered);
    const ended =
      tooLarge === undefined
        ? rendered
        : finishedStatus(before, { now: this.#now(), isCanceled: false, artifacts: () => ({ problem: tooLarge }) });
    const message = [problem, ended.error?.message].filter((each) => each !== undefined && each !== '').join('; ');
    const isComplete = problem === undefined && ended.state === 'complete';
    this.#live.change(isComplete ? ended : { ...ended, state: 'failed', error: { message } });
    return isComplete
      ? { state: 'completed', ...this.#finalizer }
      : { state: 'failed', reason: message, ...this.#finalizer };
  }

  /** What a set does is what its spec said when it began: an edit cannot be followed, and must not be passed over. */
  async #watchEdits(stop: ChildAbort): Promise<void> {
    const { clock, actionSets } = this.#deps;
    const { namespace = '', name, uid } = this.#operation.object.metadata;
    while (!stop.signal.aborted) {
      const found = actionSets.get(`${namespace}/${name}`);
      if (
        found !== undefined &&
        found.metadata.uid === uid &&
        !isSameWork(found['spec'], this.#operation.object['spec'])
      ) {
        stop.abort(new AppError('invalid', EDITED));
        return;
      }
      // It rejects only when the set has ended.
      await clock.sleep(LOOK_FOR_EDITS_MS, stop.signal).catch(() => undefined);
    }
  }

  #now(): string {
    return toTime(this.#deps.clock.now());
  }
}

function isSameAction(spec: ActionSpec, status: ActionStatus): boolean {
  const of = ({ name = '', blueprint = '', object = {} }: ActionSpec | ActionStatus): Json => [
    name,
    blueprint,
    { ...object },
  ];
  return isEqual(of(spec), of(status));
}

function isSameWork(now: Json | undefined, then: Json | undefined): boolean {
  return isEqual(valueAt(now, 'actions') ?? [], valueAt(then, 'actions') ?? []);
}
