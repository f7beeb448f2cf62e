import { Backup, Schedule } from '../../../api/index.ts';
import { isAppError, labelValue, objectAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import {
  decideSchedule,
  isUnderWay,
  SCHEDULE_NAME_LABEL,
  scheduledBackup,
  scheduledFor,
  type ScheduleDecision,
} from '../../../core/backup/schedule/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, type ConditionChange, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import {
  boundedProblems,
  aboutObject,
  patchObject,
  patchStatus,
  readObject,
  toTime,
  withCondition,
} from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';

export interface ScheduleOptions {
  /** For schedules that name none, and for the names of their backups. Default UTC. */
  timeZone?: string;
}

// A clock may be set at any time; timers do not notice, so they are never long.
const LONGEST_WAIT_MS = 60_000;
const RUNNING_WAIT_MS = 5_000;
const NAME_TAKEN_WAIT_MS = 1_000;

export function createScheduleController(options: ScheduleOptions, deps: ControlDeps, caches: Caches): Part {
  const schedules = new Schedules(options, deps);
  return new Controller(
    {
      name: 'schedule',
      sources: [{ cache: caches.schedules }],
      reconcile: async (key, signal) => {
        const object = caches.schedules.get(key);
        return object === undefined ? 'done' : await schedules.reconcile(object, signal);
      },
    },
    deps,
  );
}

type Due = Extract<ScheduleDecision, { kind: 'run' }>;

/** Exported for its tests, which control the clock. */
export class Schedules {
  readonly #deps: ControlDeps;
  readonly #zone: string;

  constructor({ timeZone = 'UTC' }: ScheduleOptions, deps: ControlDeps) {
    this.#zone = timeZone;
    this.#deps = deps;
  }

  async reconcile(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const decision = this.#decide(object);
    if (decision.kind !== 'run') return await this.#tell(object, decision, signal);
    // Bypass the cache: it may not contain the run that was created a moment ago.
    const { name, namespace = '' } = object.metadata;
    const fresh = await readObject({ type: Schedule, namespace, name }, this.#deps, signal);
    if (fresh === undefined) return 'done';
    const now = this.#decide(fresh);
    return now.kind === 'run' ? await this.#run(fresh, now, signal) : await this.#tell(fresh, now, signal);
  }

  #decide(object: KubeObject): ScheduleDecision {
    try {
      return decideSchedule(Schedule.parse(object).value, this.#deps.clock.now(), this.#zone);
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error;
      return { kind: 'refuse', problems: (error.details?.['problems'] as string[] | undefined) ?? [error.message] };
    }
  }

  async #tell(
    object: KubeObject,
    decision: Exclude<ScheduleDecision, Due>,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { deps, write } = this.#writing(object, signal);
    switch (decision.kind) {
      case 'refuse':
        await this.#refuse(object, decision.problems, signal);
        return 'done';
      case 'pause':
        await patchStatus(write, this.#paused(object));
        return 'done';
      case 'skip':
        await this.#settle(object, { lastSkipped: toTime(deps.clock.now()), nextRun: toTime(decision.nextAt) }, signal);
        return this.#waitUntil(decision.nextAt);
      case 'wait':
        await this.#settle(object, { nextRun: toTime(decision.nextAt) }, signal);
        return this.#waitUntil(decision.nextAt);
    }
  }

  /** The request to skip a run has been handled, or there was none; Velero records both. */
  async #settle(object: KubeObject, status: JsonObject, signal: AbortSignal): Promise<void> {
    const { write } = this.#writing(object, signal);
    const enabled = this.#enabled(object, status);
    if (valueAt(object, 'spec', 'skipImmediately') === false) await patchStatus(write, enabled);
    else await patchObject(write, { spec: { skipImmediately: false }, status: enabled });
  }

  /** A schedule that was never enabled gets no phase, as in Velero; the condition says that it could be. */
  #paused(object: KubeObject): JsonObject {
    const { phase, ...rest } = this.#enabled(object, { nextRun: null }, ready('Paused', 'no backups while paused'));
    return { ...rest, ...(textAt(object, 'status', 'phase') === undefined ? {} : { phase: phase ?? null }) };
  }

  async #run(object: KubeObject, { dueAt }: Due, signal: AbortSignal): Promise<ReconcileResult> {
    const { deps, write } = this.#writing(object, signal);
    const { name, namespace = '' } = object.metadata;
    const made = await this.#backupsOf(namespace, name, signal);
    const isMade = made.some((one) => textAt(one, 'status', 'scheduledFor') === scheduledFor(dueAt));
    if (!isMade) {
      const running = made.find((one) => isUnderWay(textAt(one, 'status', 'phase') as never));
      if (running !== undefined) {
        const message = `the run of ${toTime(dueAt)} waits for backup ${running.metadata.name}`;
        const status = this.#enabled(object, { nextRun: toTime(dueAt) }, ready('WaitingForBackup', message));
        await patchStatus(write, status);
        return { requeueAfterMs: RUNNING_WAIT_MS };
      }
      const result = await this.#create(object, dueAt, signal);
      if (result !== undefined) return result;
    }
    const lastBackup = toTime(deps.clock.now());
    const after = this.#decide({ ...object, status: { ...objectAt(object['status']), lastBackup } });
    const nextRun = after.kind === 'wait' ? toTime(after.nextAt) : null;
    await this.#settle(object, { lastBackup, nextRun }, signal);
    return after.kind === 'wait' ? this.#waitUntil(after.nextAt) : { requeueAfterMs: RUNNING_WAIT_MS };
  }

  /** Undefined when the backup exists; otherwise what to do now. */
  async #create(object: KubeObject, dueAt: number, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const { kube, events, clock, log } = this.#deps;
    const { name, namespace = '' } = object.metadata;
    const backup = scheduledBackup(Schedule.parse(object).value, { dueAt, now: clock.now(), zone: this.#zone });
    const about = aboutObject(Schedule, object);
    try {
      await kube.create({ type: Backup, namespace }, backup, { signal });
    } catch (error) {
      // Another clock, or the repeated hour when clocks change: in a second the name is free.
      if (isAppError(error, 'alreadyExists')) return { requeueAfterMs: NAME_TAKEN_WAIT_MS };
      if (!isAppError(error, 'invalid')) throw error;
      await this.#refuse(object, [`backup ${backup.metadata.name} cannot be created: ${error.message}`], signal);
      return 'done';
    }
    log.info('schedule created a backup', { schedule: name, backup: backup.metadata.name, dueAt: toTime(dueAt) });
    events.record({
      type: 'Normal',
      reason: 'BackupCreated',
      message: `Created backup ${backup.metadata.name}`,
      about,
    });
    return undefined;
  }

  async #backupsOf(namespace: string, name: string, signal: AbortSignal): Promise<KubeObject[]> {
    const labelSelector = `${SCHEDULE_NAME_LABEL}=${labelValue(name)}`;
    const found: KubeObject[] = [];
    for await (const page of this.#deps.kube.list({ type: Backup, namespace }, { labelSelector, signal })) {
      if (page.restarted) found.length = 0;
      found.push(...page.items);
    }
    return found;
  }

  async #refuse(object: KubeObject, problems: readonly string[], signal: AbortSignal): Promise<void> {
    const { deps, write } = this.#writing(object, signal);
    const message = problems.join('; ');
    const condition: ConditionChange = { type: 'Ready', status: 'False', reason: 'Invalid', message };
    const isKnown = textAt(object, 'status', 'phase') === 'FailedValidation';
    await patchStatus(write, {
      phase: 'FailedValidation',
      validationErrors: boundedProblems(problems),
      nextRun: null,
      conditions: withCondition(object, condition, this.#deps.clock.now()),
    });
    if (isKnown) return;
    deps.events.record({ type: 'Warning', reason: 'FailedValidation', message, about: aboutObject(Schedule, object) });
  }

  #enabled(
    object: KubeObject,
    status: JsonObject,
    condition = ready('Enabled', 'backups are created when due'),
  ): JsonObject {
    return {
      phase: 'Enabled',
      validationErrors: null,
      ...status,
      conditions: withCondition(object, condition, this.#deps.clock.now()),
    };
  }

  #waitUntil(time: number): ReconcileResult {
    return { requeueAfterMs: Math.min(LONGEST_WAIT_MS, Math.max(0, time - this.#deps.clock.now())) };
  }

  #writing(object: KubeObject, signal: AbortSignal) {
    const deps = this.#deps;
    return { deps, write: { type: Schedule, object, deps, signal } };
  }
}

function ready(reason: string, message: string): ConditionChange {
  return { type: 'Ready', status: 'True', reason, message };
}
