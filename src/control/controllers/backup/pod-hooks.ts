import { type BackupSpec, POD } from '../../../api/index.ts';
import { AppError, isAppError, messageOf, type JsonObject } from '../../../base/index.ts';
import { hooksForPod, type PodHook } from '../../../core/backup/index.ts';
import type { KubeClient } from '../../../edge/kube/index.ts';
import type { ApiPatience } from '../../operation/index.ts';
import type { Findings } from './findings.ts';
import type { HookRecord, PodName } from './hook-record.ts';
import type { ResourceNames } from '../../../core/selection/index.ts';

export interface PodHooksDeps {
  kube: KubeClient;
  hooks: BackupSpec['hooks'];
  record: HookRecord;
  /** For what can be asked again; a command is run once. */
  patience: (signal: AbortSignal) => Pick<ApiPatience, 'call'>;
  findings: Findings;
  onCurrent: (text: string) => void;
  /** A command may take as long as its owner says; whoever wonders why nothing moves hears of it. */
  onWaiting: (cause: AppError) => void;
  onResumed: () => void;
}

/** Hooks concern pods alone, so theirs are the only names that matter; no discovery is needed to thaw one. */
const NAMES: ResourceNames = {
  resolve: (name) => (['po', 'pod', 'pods'].includes(name.toLowerCase()) ? 'pods' : undefined),
};
const MAX_OUTPUT = 2000;

/** Runs the commands that users want before and after a pod is backed up. Every pre hook has its post hook run, whatever happens. */
export class PodHooks {
  readonly #deps: PodHooksDeps;
  #attempted = 0;
  #failed = 0;

  constructor(deps: PodHooksDeps) {
    this.#deps = deps;
  }

  get status(): { hooksAttempted: number; hooksFailed: number } {
    return { hooksAttempted: this.#attempted, hooksFailed: this.#failed };
  }

  /** False when the pod must not be backed up. */
  async before(pod: JsonObject, name: PodName, signal: AbortSignal): Promise<boolean> {
    const { pre, post, warnings } = this.#of(pod);
    for (const warning of warnings) this.#deps.findings.warn({ groupResource: 'pods', ...name }, warning);
    if (pre.length === 0) return true;
    const { record, patience } = this.#deps;
    if (post.length > 0) await patience(signal).call(() => record.add(name, signal));
    for (const hook of pre) {
      if ((await this.#run(hook, name, signal)) || hook.onError !== 'Fail') continue;
      this.#tell(name, `it is not in the backup: hook ${hook.name} before it failed`);
      return false;
    }
    return true;
  }

  async after(pod: JsonObject, name: PodName, signal: AbortSignal): Promise<void> {
    let failed: PodHook | undefined;
    for (const hook of this.#of(pod).post)
      if (!(await this.#run(hook, name, signal)) && hook.onError === 'Fail') failed ??= hook;
    if (failed !== undefined) this.#tell(name, `hook ${failed.name} after it failed, and must not`);
    // Also one that was made anew since, without any hooks.
    if (this.#deps.record.has(name)) await this.#forget(name, signal);
  }

  /** For pods that somebody left between their hooks: this process or the last one. */
  async closeAll(signal: AbortSignal): Promise<void> {
    const { record, findings } = this.#deps;
    for (const pod of record.open) {
      try {
        const found = await this.#read(pod, signal);
        if (found === undefined) await this.#forget(pod, signal);
        else await this.after(found, pod, signal);
      } catch (error) {
        findings.error({ groupResource: 'pods', ...pod }, `its post hooks could not be run: ${messageOf(error)}`);
      }
    }
  }

  /** Undefined when it is gone. */
  async #read(pod: PodName, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { kube, patience } = this.#deps;
    try {
      return await patience(signal).call(() => kube.get({ type: POD, ...pod }, { signal }));
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async #forget(pod: PodName, signal: AbortSignal): Promise<void> {
    const { record, patience } = this.#deps;
    await patience(signal).call(() => record.remove(pod, signal));
  }

  #of(pod: JsonObject): ReturnType<typeof hooksForPod> {
    return hooksForPod(pod, this.#deps.hooks, NAMES);
  }

  /**
   * Every one that fails is an error, as in Velero: `onError` says what becomes of the pod, not of the backup. That a
   * pod has one that must not fail is an error more, there and here.
   */
  async #run(hook: PodHook, pod: PodName, signal: AbortSignal): Promise<boolean> {
    this.#attempted += 1;
    this.#deps.onCurrent(`hook ${hook.name} in pod ${pod.namespace}/${pod.name}`);
    const problem = hook.problem ?? (await this.#waitFor(hook, pod, signal));
    if (problem === undefined) return true;
    this.#failed += 1;
    const text = `hook ${hook.name} (${hook.command.join(' ')}) in container ${hook.container}: ${problem}`;
    this.#tell(pod, text);
    return false;
  }

  async #waitFor(hook: PodHook, pod: PodName, signal: AbortSignal): Promise<string | undefined> {
    const what = `hook ${hook.name} in container ${hook.container} of pod ${pod.namespace}/${pod.name} still runs`;
    this.#deps.onWaiting(new AppError('timeout', what));
    try {
      return await this.#exec(hook, pod, signal);
    } finally {
      this.#deps.onResumed();
    }
  }

  #tell(pod: PodName, text: string): void {
    this.#deps.findings.error({ groupResource: 'pods', ...pod }, text);
  }

  /** What went wrong; undefined when the command ended with 0. */
  async #exec(hook: PodHook, pod: PodName, signal: AbortSignal): Promise<string | undefined> {
    const { container, command, timeoutMs: deadlineMs } = hook;
    let output = '';
    const keep = (bytes: Uint8Array): void => {
      if (output.length < MAX_OUTPUT)
        output += Buffer.from(bytes)
          .toString('utf8')
          .slice(0, MAX_OUTPUT - output.length);
    };
    try {
      const options = { command, deadlineMs, signal, stdout: keep, stderr: keep };
      const { exitCode } = await this.#deps.kube.exec({ ...pod, container }, options);
      if (exitCode === 0) return undefined;
      const said = output.trim();
      return `it ended with exit code ${exitCode}${said === '' ? '' : `: ${said}`}`;
    } catch (error) {
      signal.throwIfAborted();
      return messageOf(error);
    }
  }
}
