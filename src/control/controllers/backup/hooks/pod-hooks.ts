import { POD, type BackupSpec } from '../../../../api/index.ts';
import { AppError, isAppError, maskSecrets, messageOf, type Clock, type JsonObject } from '../../../../base/index.ts';
import { hooksForPod, type PodHook } from '../../../../core/backup/index.ts';
import type { ResourceNames } from '../../../../core/selection/index.ts';
import type { KubeClient } from '../../../../edge/kube/index.ts';
import { withGrace, type Findings, type PatientCalls, type Wait } from '../../../operation/index.ts';
import { explainPod, runCommand } from '../../../pods/index.ts';
import type { HookRecord, PodName } from './hook-record.ts';

export interface PodHooksDeps {
  kube: KubeClient;
  clock: Clock;
  hooks: BackupSpec['hooks'];
  record: HookRecord;
  /** For requests that can be repeated; a command is run once. */
  api: (signal: AbortSignal) => PatientCalls;
  findings: Findings;
  onCurrent: (text: string) => void;
  /** A command may take as long as its owner allows; this reports that the backup waits for it. */
  onWaiting: (cause: AppError) => Wait;
  /** Outlives a cancel, and a stop by a little: not aborted as long as this process may still thaw. */
  lasting: AbortSignal;
}

/** Hooks concern only pods, so these are the only names that matter; thawing needs no discovery. */
const NAMES: ResourceNames = {
  resolve: (name) => (['po', 'pod', 'pods'].includes(name.toLowerCase()) ? 'pods' : undefined),
};
/** A pre hook that is cut off keeps running in its container, and may freeze the pod after it was thawed. */
const PRE_GRACE_MS = 5_000;

/**
 * Runs the user's commands before and after a pod is backed up. Every pre hook has its post hook run, whatever happens.
 */
export class PodHooks {
  readonly #deps: PodHooksDeps;
  /** Pods whose post hooks wait for something that goes on beside the backup. */
  readonly #held = new Set<Promise<void>>();
  #attempted = 0;
  #failed = 0;

  constructor(deps: PodHooksDeps) {
    this.#deps = deps;
  }

  get status(): { hooksAttempted: number; hooksFailed: number } {
    return { hooksAttempted: this.#attempted, hooksFailed: this.#failed };
  }

  /** Pods that may still be frozen. */
  get open(): readonly PodName[] {
    return this.#deps.record.open;
  }

  has(pod: JsonObject): boolean {
    const { pre, post } = this.#of(pod);
    return pre.length + post.length > 0;
  }

  /**
   * Does the work between the pod's hooks; undefined if a failed pre hook means that the pod is not backed up. The pod
   * waits for this work alone: when this returns or throws, its post hooks have run.
   */
  async around<T>(
    pod: JsonObject,
    name: PodName,
    work: () => T | Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    return await this.aroundHeld(pod, name, { work }, signal);
  }

  /** The same, but the post hooks wait until `hold` has ended, which is begun with the work and never rejects. */
  async aroundHeld<T>(
    pod: JsonObject,
    name: PodName,
    { work, hold }: { work: () => T | Promise<T>; hold?: (() => Promise<void>) | undefined },
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const { pre, post, warnings } = this.#of(pod);
    const { findings, lasting } = this.#deps;
    for (const warning of warnings) findings.warn({ groupResource: 'pods', ...name }, warning);
    if (pre.length > 0 && post.length > 0) await this.#record(name, signal);
    const begun = { mayBeFrozen: false };
    let isAdmitted = false;
    let held: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      // As in Velero, a pod left out because its pre hook could not even start has no post hook either.
      const due = isAdmitted || begun.mayBeFrozen ? post : [];
      if (!lasting.aborted) await this.#after(due, name, begun);
    };
    try {
      isAdmitted = await this.#before(pre, name, { begun, signal });
      if (!isAdmitted) return undefined;
      held = hold?.();
      return await work();
    } finally {
      if (held === undefined) await close();
      else this.#closeAfter(held, close, name);
    }
  }

  /** Waits until no pod is between its hooks for something that goes on beside the backup. */
  async settled(): Promise<void> {
    await Promise.all(this.#held);
  }

  #closeAfter(held: Promise<void>, close: () => Promise<void>, name: PodName): void {
    const closing = held.then(close).catch((error: unknown) => {
      this.#tell(name, `its post hooks could not be run: ${messageOf(error)}`);
    });
    this.#held.add(closing);
    void closing.finally(() => this.#held.delete(closing));
  }

  /** For pods left between their hooks by this process or the previous one. */
  async closeAll(): Promise<void> {
    const { record, findings, lasting } = this.#deps;
    for (const pod of record.open) {
      if (lasting.aborted) return;
      try {
        const found = await this.#read(pod);
        if (found === undefined) await record.remove(pod, lasting);
        else await this.#after(this.#of(found).post, pod, { mayBeFrozen: true });
      } catch (error) {
        findings.error({ groupResource: 'pods', ...pod }, `its post hooks could not be run: ${messageOf(error)}`);
      }
    }
  }

  async #record(name: PodName, signal: AbortSignal): Promise<void> {
    const { record, lasting } = this.#deps;
    try {
      await record.add(name, signal);
    } catch (error) {
      // The record may have been stored anyway, and the pre hooks will not run.
      if (!lasting.aborted) await record.remove(name, lasting);
      throw error;
    }
  }

  /** False when the pod must not be backed up. */
  async #before(
    pre: readonly PodHook[],
    name: PodName,
    { begun, signal }: { begun: Begun; signal: AbortSignal },
  ): Promise<boolean> {
    // Most pods have none, and there are thousands of them.
    if (pre.length === 0) {
      signal.throwIfAborted();
      return true;
    }
    const grace = withGrace(signal, PRE_GRACE_MS, this.#deps.clock);
    try {
      for (const hook of pre) {
        signal.throwIfAborted();
        const outcome = await this.#run(hook, name, grace.signal);
        if (outcome !== 'notRun' && outcome !== 'gone') begun.mayBeFrozen = true;
        if (outcome === 'done' || hook.onError !== 'Fail') continue;
        this.#tell(name, `it is not in the backup: hook ${hook.name} before it failed`);
        return false;
      }
      signal.throwIfAborted();
      return true;
    } finally {
      grace.clear();
    }
  }

  async #after(post: readonly PodHook[], name: PodName, { mayBeFrozen }: Begun): Promise<void> {
    const { record, lasting } = this.#deps;
    let failed: PodHook | undefined;
    let hasRun = true;
    for (const hook of post) {
      const outcome = await this.#run(hook, name, lasting);
      if (outcome === 'notRun' || outcome === 'unknown') hasRun = false;
      if (outcome !== 'done' && hook.onError === 'Fail') failed ??= hook;
    }
    if (failed !== undefined) this.#tell(name, `hook ${failed.name} after it failed, and must not`);
    // Also for a pod that was recreated since, without any hooks. A pod that could not be reached is retried later.
    if ((hasRun || !mayBeFrozen) && record.has(name)) await record.remove(name, lasting);
  }

  /** Undefined when it is gone. */
  async #read(pod: PodName): Promise<JsonObject | undefined> {
    const { kube, api, lasting: signal } = this.#deps;
    try {
      return await api(signal).call(() => kube.get({ type: POD, ...pod }, { signal }));
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      throw error;
    }
  }

  #of(pod: JsonObject): ReturnType<typeof hooksForPod> {
    return hooksForPod(pod, this.#deps.hooks, NAMES);
  }

  /**
   * Every failed hook is an error, as in Velero: `onError` decides about the pod, not about the backup. If the hook
   * must not fail, that is a second error, as in Velero.
   */
  async #run(hook: PodHook, pod: PodName, signal: AbortSignal): Promise<Outcome> {
    this.#attempted += 1;
    this.#deps.onCurrent(`hook ${hook.name} in pod ${pod.namespace}/${pod.name}`);
    const { outcome, problem } =
      hook.problem === undefined
        ? await this.#exec(hook, pod, signal)
        : { outcome: 'gone' as const, problem: hook.problem };
    if (outcome === 'done') return outcome;
    this.#failed += 1;
    const text = `hook ${hook.name} (${hook.command.join(' ')}) in container ${hook.container}: ${problem}`;
    this.#tell(pod, maskSecrets(text));
    return outcome;
  }

  async #exec(hook: PodHook, pod: PodName, signal: AbortSignal): Promise<{ outcome: Outcome; problem?: string }> {
    const { container, command, timeoutMs: deadlineMs } = hook;
    const what = `hook ${hook.name} in container ${container} of pod ${pod.namespace}/${pod.name} still runs`;
    const wait = this.#deps.onWaiting(new AppError('timeout', what));
    wait.explainWith((until) => explainPod(this.#deps.kube, pod, until));
    try {
      const target = { ...pod, container };
      const { exitCode, output } = await runCommand(this.#deps.kube, target, { command, deadlineMs, signal });
      if (exitCode === 0) return { outcome: 'done' };
      const said = output === '' ? '' : `: ${output}`;
      return { outcome: 'failed', problem: `it ended with exit code ${exitCode}${said}` };
    } catch (error) {
      return signal.aborted
        ? { outcome: 'unknown', problem: 'it was cut off, and may still run in its container' }
        : { outcome: outcomeOf(error), problem: messageOf(error) };
    } finally {
      wait.end();
    }
  }

  #tell(pod: PodName, text: string): void {
    this.#deps.findings.error({ groupResource: 'pods', ...pod }, text);
  }
}

interface Begun {
  mayBeFrozen: boolean;
}

/**
 * `unknown`: it started, and how it ended is not known. `gone`: there is nothing to run it in, and so nothing to thaw.
 */
type Outcome = 'done' | 'failed' | 'unknown' | 'notRun' | 'gone';

function outcomeOf(error: unknown): Outcome {
  if (isAppError(error, 'notFound', 'invalid')) return 'gone';
  if (isAppError(error, 'forbidden', 'unauthenticated', 'untrusted')) return 'notRun';
  if (isAppError(error) && error.details?.['maybeDone'] === false) return 'notRun';
  // A hook that exceeded its own time limit did run.
  return isAppError(error, 'timeout') ? 'failed' : 'unknown';
}
