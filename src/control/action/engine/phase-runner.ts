import {
  AppError,
  backoffMs,
  isAppError,
  messageOf,
  parseGoDuration,
  type Backoff,
  type JsonObject,
} from '../../../base/index.ts';
import {
  functionNamed,
  phaseBegan,
  phaseCompleted,
  phaseFailed,
  phaseProgressed,
  type BlueprintPhase,
  type FunctionDeclaration,
  type PhaseRef,
  type Where,
} from '../../../core/action/index.ts';
import { everyMoment, type Operation, type Wait } from '../../operation/index.ts';
import { childAbort, timeLimit } from '../../runtime/index.ts';
import { boundedText, toTime } from '../../runtime/objects/index.ts';
import type { ActionFunction } from '../functions/function.ts';
import { contextOf } from './context.ts';
import type { ActionDeps } from './deps.ts';
import type { LiveStatus } from './live-status.ts';
import { phaseOf } from './plan.ts';
import { renderingOf } from '../params/rendering.ts';
import { whereOf, type RunningAction } from './running-action.ts';
import type { PhaseEvents } from './phase-events.ts';
import { outputProblem } from './status-size.ts';

/** Before a phase with `retries` is tried again. */
const AGAIN: Backoff = { baseMs: 1_000, maxMs: 30_000 };

/** How long the objects of a deferPhase are waited for. */
const OBJECTS_MS = 20_000;
const LOOK_FOR_OBJECTS_MS = 500;

export interface PhaseSignals {
  /** Who goes on with the phase is somebody else. */
  signal: AbortSignal;
  /** It has to end, though this process goes on. */
  ending?: AbortSignal | undefined;
}

export interface PhaseRunnerParts {
  operation: Operation;
  deps: ActionDeps;
  live: LiveStatus;
  events: PhaseEvents;
}

/** Runs one phase to its end, in attempts, and tells in the status how it stands. */
export class PhaseRunner {
  readonly #parts: PhaseRunnerParts;

  constructor(parts: PhaseRunnerParts) {
    this.#parts = parts;
  }

  /**
   * The phase has ended, well or badly, when this returns. Throws only what the signal was aborted with. Where `ending`
   * is aborted, the phase has failed.
   */
  async run(action: RunningAction, ref: PhaseRef, { signal, ending }: PhaseSignals): Promise<void> {
    const { live, events, deps } = this.#parts;
    const phase = phaseOf(action.action, ref);
    const { retries = 0 } = phase;
    let isResumed = live.phase(ref).state === 'running';
    if (!isResumed && ref.phase === 'defer') await this.#awaitObjects(action, phase, { signal, ending });
    if (!isResumed) await this.#begin(ref, signal);
    for (;;) {
      const startedAt = deps.clock.uptime();
      events.began(action, ref, { isResumed });
      const end = await this.#attempt(action, ref, { isResumed, signal, ending });
      const { attempt = 1 } = live.phase(ref);
      const state = 'output' in end ? 'complete' : 'failed';
      const seconds = (deps.clock.uptime() - startedAt) / 1000;
      deps.metrics.observe('headway_action_phase_seconds', { function: phase.func ?? '', state }, seconds);
      if ('output' in end) {
        live.change(phaseCompleted(live.current, ref, { output: end.output, now: this.#now() }));
        await this.store(signal);
        events.completed(action, ref);
        return;
      }
      if (attempt > retries || ending?.aborted === true) {
        live.change(phaseFailed(live.current, ref, { reason: end.reason, now: this.#now() }));
        await this.store(signal);
        events.failed(action, ref, end.reason);
        return;
      }
      events.again(action, ref, end.reason);
      await deps.clock.sleep(backoffMs(attempt - 1, AGAIN, deps.random()), signal);
      await this.#begin(ref, signal);
      isResumed = false;
    }
  }

  /** Writes the status now. It is tried for long, and in the end the work goes on without. */
  async store(signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.operation.run.commit({}, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#parts.operation.log.warn('the status was not written, the work goes on', { err: messageOf(error) });
    }
  }

  /** Before anything is done: whoever takes over knows that it may have been done. */
  async #begin(ref: PhaseRef, signal: AbortSignal): Promise<void> {
    const { live } = this.#parts;
    live.change(phaseBegan(live.current, ref, this.#now()));
    await this.store(signal);
  }

  /**
   * Cleaning up cannot be had again, so what it needs is waited for a while: somebody may still be making it. It counts as
   * pending until then.
   */
  async #awaitObjects(action: RunningAction, phase: BlueprintPhase, { signal, ending }: PhaseSignals): Promise<void> {
    const { operation, deps } = this.#parts;
    const { clock } = deps;
    const until = clock.uptime() + OBJECTS_MS;
    let wait: Wait | undefined;
    try {
      while (ending?.aborted !== true) {
        try {
          await this.#fetch(action, phase, true, signal);
          return;
        } catch (error) {
          signal.throwIfAborted();
          // Whatever else is wrong with them, and what does not come, is told by the phase itself.
          if (!isAppError(error, 'notFound') || clock.uptime() >= until) return;
          wait ??= operation.run.wait(error, 'slow');
          wait.tell(error);
        }
        await clock.sleep(LOOK_FOR_OBJECTS_MS, signal);
      }
    } finally {
      wait?.end();
    }
  }

  async #attempt(
    action: RunningAction,
    ref: PhaseRef,
    { isResumed, signal, ending }: { isResumed: boolean } & PhaseSignals,
  ): Promise<{ output: JsonObject } | { reason: string }> {
    const phase = phaseOf(action.action, ref);
    const limit = this.#limit(phase, ending === undefined ? signal : AbortSignal.any([signal, ending]));
    try {
      const declaration = declarationOf(phase);
      // A phase that begins has not, whatever became of the attempt before.
      const { executed: isExecuted = false } = this.#parts.live.phase(ref);
      if (isResumed && declaration.resume === 'fail') throw cutOff(declaration);
      const made = await this.#make(action, ref, { declaration, limitMs: limit.ms, signal: limit.signal });
      const output = await this.#execute(made, ref, { isExecuted, signal: limit.signal });
      const problem = outputProblem(this.#parts.live.current, ref, output);
      return problem === undefined ? { output } : { reason: problem };
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageOf(limit.signal.aborted ? limit.signal.reason : error);
      this.#parts.operation.log.error('phase failed', { action: action.spec.name, phase: phase.name, err: reason });
      return { reason: boundedText(reason) };
    } finally {
      limit.end();
    }
  }

  /** The signal for one attempt, with the phase's own timeout. */
  #limit(
    { timeout }: BlueprintPhase,
    signal: AbortSignal,
  ): { signal: AbortSignal; ms: number | undefined; end(): void } {
    const ms = timeout === undefined ? undefined : parseGoDuration(timeout);
    if (ms === undefined) return { signal, ms, end: () => undefined };
    const late = (): AppError =>
      new AppError('timeout', `the phase has not ended within its timeout of ${timeout ?? ''}`);
    const limit = timeLimit(signal, ms, { clock: this.#parts.deps.clock, late });
    return {
      signal: limit.signal,
      ms,
      end: () => {
        limit.end();
      },
    };
  }

  async #make(
    action: RunningAction,
    ref: PhaseRef,
    {
      declaration,
      limitMs,
      signal,
    }: { declaration: FunctionDeclaration; limitMs: number | undefined; signal: AbortSignal },
  ): Promise<ActionFunction> {
    const { operation, deps, live } = this.#parts;
    const phase = phaseOf(action.action, ref);
    const { phases, inputs } = action;
    await this.#fetch(action, phase, ref.phase === 'defer', signal);
    const facts = phases.facts(inputs.facts, action.status());
    const make = deps.functions[declaration.name];
    if (make === undefined) throw new AppError('unsupported', `function ${declaration.name} is not supported yet`);
    if (declaration.needsProfile === true && inputs.profile === undefined) {
      throw new AppError('invalid', 'Profile must be non-nil: the action has no profile');
    }
    return make(
      contextOf({
        ...{ operation, deps, live, action, ref, phase, declaration, facts, timeoutMs: limitMs },
        rendering: renderingOf(facts, whereIn(action, phase), deps.clock),
        store: () => this.store(signal),
      }),
    );
  }

  /** Reads the objects that a phase names. */
  async #fetch(action: RunningAction, phase: BlueprintPhase, isDefer: boolean, signal: AbortSignal): Promise<void> {
    const { operation, deps } = this.#parts;
    const { phases, inputs } = action;
    const facts = phases.facts(inputs.facts, action.status());
    const namespace = operation.object.metadata.namespace ?? '';
    const read = { kube: deps.kube, api: operation.api(signal), signal, namespace };
    await phases.fetch(phase, isDefer, renderingOf(facts, whereIn(action, phase), deps.clock), read);
  }

  async #execute(
    made: ActionFunction,
    ref: PhaseRef,
    { isExecuted, signal }: { isExecuted: boolean; signal: AbortSignal },
  ): Promise<JsonObject> {
    const told = childAbort(signal);
    const tell = this.#statsTeller(made, ref);
    const telling = everyMoment(tell, this.#parts.deps.clock, told.signal);
    try {
      if (!isExecuted) {
        const output = await made.exec(signal);
        // The last numbers may be younger than the last look at them.
        tell();
        return output;
      }
      await made.cleanUp?.(signal);
      const { reason, output = {} } = this.#parts.live.phase(ref);
      if (reason !== undefined) throw new AppError('invalid', reason);
      return output;
    } finally {
      told.abort(new AppError('canceled', 'the phase has ended'));
      told.unlink();
      await telling;
    }
  }

  /** Only news is told: what does not change is no progress. The last number stays where a function cannot tell. */
  #statsTeller(made: ActionFunction, ref: PhaseRef): () => void {
    const { live, operation } = this.#parts;
    let last = '';
    let hasFailed = false;
    return () => {
      try {
        const stats = made.stats();
        const news = JSON.stringify(stats);
        if (news === last) return;
        last = news;
        live.change(phaseProgressed(live.current, ref, { stats, now: this.#now() }));
      } catch (error) {
        if (!hasFailed) operation.log.warn('a function cannot tell how far it is', { err: messageOf(error) });
        hasFailed = true;
      }
    };
  }

  #now(): string {
    return toTime(this.#parts.deps.clock.now());
  }
}

function whereIn(action: RunningAction, { name = '' }: BlueprintPhase): Where {
  return whereOf(action, name === '' ? 'deferPhase' : name);
}

function declarationOf({ func = '' }: BlueprintPhase): FunctionDeclaration {
  const declaration = functionNamed(func);
  if (declaration === undefined) throw new AppError('invalid', `Requested function {${func}} has not been registered`);
  return declaration;
}

/** DESIGN §9.10. */
function cutOff({ name }: FunctionDeclaration): AppError {
  return new AppError(
    'invalid',
    `Headway ended while the command of ${name} ran: how far it got is not known, and it is not run again ` +
      '(a phase with retries is)',
  );
}
