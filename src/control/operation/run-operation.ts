import { isAppError, messageOf, objectsAt, toAppError } from '../../base/index.ts';
import type { Condition } from '../../api/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { boundedText } from '../runtime/objects/index.ts';
import { announceEnd } from './announce.ts';
import { patienceOf, patientStore, type Operation, type OperationDeps } from './operation.ts';
import type { Ending, OperationKind, Work } from './operation-kind.ts';
import type { OperationLog } from './log/operation-log.ts';
import { OperationRun } from './operation-run.ts';
import { afterLeaving, recoveryFields, recoveryOf } from './recovery.ts';
import type { StageTime } from './stage-clock.ts';
import { stopOf } from './stop.ts';
import { writesOf, type Writes } from './writes.ts';

/** Less than the time a process gets after it was told to stop. */
const HAND_OVER_MS = 10_000;

/**
 * Runs one begun operation to its end and writes that end, unless this process has to hand it over first. Throws if it
 * could not be started at all, such as with a full disk: then nothing was done, and it can be retried.
 */
export async function runOperation(
  kind: OperationKind,
  object: KubeObject,
  deps: OperationDeps,
  signal: AbortSignal,
): Promise<void> {
  const { uid = '' } = object.metadata;
  const log = await deps.logs.open(uid, kind.logFields(object));
  let isOver = false;
  const writes = writesOf(deps, HAND_OVER_MS);
  try {
    isOver = await new Attempt(kind, object, { ...deps, operationLog: log, writes }).runToEnd(signal);
  } finally {
    writes.end();
    // Whoever continues the operation continues its log.
    await deps.logs.close(uid, !isOver ? 'keep' : kind.keepsLog === true ? 'keepEnd' : 'remove');
  }
}

interface AttemptDeps extends OperationDeps {
  operationLog: OperationLog;
  writes: Writes;
}

class Attempt {
  readonly #kind: OperationKind;
  readonly #object: KubeObject;
  readonly #deps: AttemptDeps;
  readonly #run: OperationRun;
  readonly #work: Work;

  constructor(kind: OperationKind, object: KubeObject, deps: AttemptDeps) {
    this.#kind = kind;
    this.#object = object;
    this.#deps = deps;
    const { name, namespace } = object.metadata;
    this.#run = new OperationRun(
      {
        target: { type: kind.type, name, ...(namespace === undefined ? {} : { namespace }) },
        object,
        isOver: (found) => kind.standingOf(found) === 'ended',
        statusOf: (snapshot) => this.#work.statusOf(snapshot),
        writes: deps.writes.signal,
        resume: kind.reportOf(object),
        conditions: objectsAt(object, 'status', 'conditions') as unknown as Condition[],
        stages: objectsAt(object, 'status', 'stages') as unknown as StageTime[],
      },
      deps,
    );
    this.#work = kind.open(this.#operation());
  }

  /** False if another process has to continue. */
  async runToEnd(signal: AbortSignal): Promise<boolean> {
    const { operationLog } = this.#deps;
    const { attempt } = recoveryOf(statusOf(this.#object));
    operationLog.info(`${this.#kind.noun} begins`, { attempt });
    // An attempt that only ends the operation keeps its last report.
    if (attempt > 1 && !signal.aborted) this.#run.feed({ kind: 'attempt' });
    this.#run.start();
    try {
      const ending = await this.#end(signal);
      if (ending !== 'handedOver' && ending !== 'deleted') return await this.#finish(ending);
      await this.#run.leave();
      return ending === 'deleted';
    } finally {
      this.#work.close?.();
    }
  }

  #operation(): Operation {
    const { operationLog: log, writes, ...deps } = this.#deps;
    const patience = patienceOf(this.#run, deps);
    return {
      object: this.#object,
      attempt: recoveryOf(statusOf(this.#object)).attempt,
      run: this.#run,
      log,
      lasting: writes.signal,
      api: (signal, limits) => patience.until(signal, limits),
      patient: (store) => patientStore(store, this.#run, { ...deps, log }),
    };
  }

  async #end(signal: AbortSignal): Promise<Ending | 'handedOver' | 'deleted'> {
    try {
      signal.throwIfAborted();
      return await this.#work.perform(signal);
    } catch (error) {
      const stop = stopOf(signal);
      // A process that no longer leads may notice by a refused write, before it is told to stop.
      if ((signal.aborted && stop === undefined) || !this.#deps.mayWrite()) {
        await this.#handOver();
        return 'handedOver';
      }
      const ending = stop === undefined ? this.#failed(error) : this.#stopped();
      const other = await this.#breakOff({ stop, ending });
      return stop === 'deleted' ? 'deleted' : (other ?? ending);
    }
  }

  #failed(error: unknown): Ending {
    const { code, message } = toAppError(error);
    const stack = !isAppError(error) && error instanceof Error ? error.stack : undefined;
    this.#deps.operationLog.error(`${this.#kind.noun} failed`, { code, err: message, stack });
    return { state: 'failed', reason: message };
  }

  #stopped(): Ending {
    const { noun, afterCancel } = this.#kind;
    this.#deps.operationLog.info(`${noun} is stopped on request`);
    const message = `it was canceled on request; ${afterCancel}`;
    this.#run.setCondition({ type: 'Canceled', status: 'True', reason: 'Canceled', message });
    return { state: 'canceled', reason: 'canceled' };
  }

  async #breakOff(why: Parameters<Work['breakOff']>[0]): Promise<Ending | undefined> {
    try {
      const other = await this.#work.breakOff(why);
      if (other !== undefined) this.#run.removeCondition('Canceled');
      return other;
    } catch (error) {
      // The operation has failed or was stopped anyway, and its end must be written.
      this.#deps.operationLog.error('not everything could be put in order', { err: messageOf(error) });
      return undefined;
    }
  }

  /** The lease is held until this has ended; without the lease everything is up to the next leader. */
  async #handOver(): Promise<void> {
    const { operationLog } = this.#deps;
    if (!this.#deps.mayWrite()) return;
    const signal = AbortSignal.any([this.#deps.writes.signal, AbortSignal.timeout(HAND_OVER_MS)]);
    try {
      await this.#work.handOver?.(signal);
      const { recovery } = recoveryFields(afterLeaving(recoveryOf(statusOf(this.#object))));
      await this.#run.commit({ status: { recovery: recovery ?? null } }, signal);
    } catch (error) {
      operationLog.warn('not everything could be handed over', { err: messageOf(error) });
    }
  }

  async #finish(ending: Ending): Promise<boolean> {
    const { state, reason } = ending;
    const { noun } = this.#kind;
    this.#deps.operationLog.info(`${noun} ends`, { state, reason });
    const bounded = reason === undefined ? ending : { ...ending, reason: boundedText(reason) };
    const status = { ...this.#kind.ended(bounded, this.#deps.clock.now()), recovery: null, ...ending.status };
    const result = await this.#run.finish(state, status, ending.finalizer);
    if (result === 'written') {
      announceEnd(this.#kind, this.#object, { ending: bounded, summary: this.#work.summary() }, this.#deps);
      this.#work.onEnded?.(bounded);
    }
    return result !== 'abandoned';
  }
}

function statusOf(object: KubeObject): Parameters<typeof recoveryOf>[0] {
  return (object['status'] ?? {}) as Parameters<typeof recoveryOf>[0];
}
