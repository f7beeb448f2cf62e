import { AppError, labelValue, maskSecrets, messageOf } from '../../../../base/index.ts';
import {
  aboutItem,
  execHookMark,
  execHooksFor,
  RESTORE_NAME_LABEL,
  type ExecHook,
} from '../../../../core/restore/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { explainPod, PodWatch, runCommand, whyNotUp } from '../../../pods/index.ts';
import type { RestoreContext } from '../context.ts';
import { ExecRecord } from './exec-record.ts';

/** Commands that run in parallel; pods that are waited for do not count. */
const PARALLEL = 20;

/** Runs the exec hooks of restored pods, while the restore continues. Each is started once, whatever happens. */
export class ExecHooks {
  readonly #context: RestoreContext;
  readonly #pods: PodWatch;
  readonly #record: ExecRecord;
  readonly #running = new Set<Promise<void>>();
  readonly #queue: (() => void)[] = [];
  #busy = 0;

  constructor(context: RestoreContext) {
    const { restore, signal, deps, object, run } = context;
    this.#context = context;
    const labelSelector = `${RESTORE_NAME_LABEL}=${labelValue(restore.metadata.name ?? '')}`;
    this.#pods = new PodWatch({ labelSelector, signal }, deps);
    this.#record = new ExecRecord(object, async (execHooks) => {
      await run.commit({ status: { execHooks } }, signal);
    });
  }

  /** Text that a pod has if it may have hooks. */
  get mark(): string {
    return execHookMark(this.#context.restore.spec);
  }

  /** For a pod as it was created; returns at once. */
  start(pod: KubeObject): void {
    const { restore } = this.#context;
    const hooks = execHooksFor(pod, { ...restore.spec, namespaceMapping: {} });
    if (hooks.length === 0) return;
    const work = this.#runAll(pod, hooks).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Resolves when every hook has run, failed or timed out. */
  async finish(): Promise<void> {
    try {
      while (this.#running.size > 0) await Promise.all(this.#running);
    } finally {
      await this.#pods.close();
    }
  }

  /**
   * One after the other. If one fails, its `onError` decides whether the pod's other hooks run; other pods are not
   * affected.
   */
  async #runAll(pod: KubeObject, hooks: readonly ExecHook[]): Promise<void> {
    const { status, signal, log, run } = this.#context;
    const { name, namespace = '' } = pod.metadata;
    for (const [index, hook] of hooks.entries()) {
      if (signal.aborted) return;
      status.hooks.hooksAttempted += 1;
      const fields = { pod: `${namespace}/${name}`, container: hook.container, hook: hook.source };
      try {
        if (!this.#hasRun(pod, index)) await this.#runOne(pod, index, hook);
        log.info('hook has run', fields);
      } catch (error) {
        if (signal.aborted) return;
        status.hooks.hooksFailed += 1;
        const text = `hook ${hook.source} in container ${hook.container} of pod ${name} failed: ${messageOf(error)}`;
        this.#context.findings.error(aboutItem(namespace), maskSecrets(text));
        if (hook.onError === 'Fail') return;
      }
      run.feed({ kind: 'worked' });
    }
  }

  /** Whether it ran before a restart. Throws if it was running when the process ended: its result is unknown. */
  #hasRun(pod: KubeObject, index: number): boolean {
    const { begun, ended } = this.#record.of(pod);
    if (index < ended) return true;
    if (index >= begun) return false;
    throw new AppError('unreachable', 'it may have run when Headway was restarted, and is not run a second time');
  }

  async #runOne(pod: KubeObject, index: number, hook: ExecHook): Promise<void> {
    const { name, namespace = '' } = pod.metadata;
    await this.#waitFor(pod, hook);
    await this.#slot();
    try {
      await this.#record.begin(pod, index);
      await this.#exec({ namespace, name, container: hook.container }, hook);
    } finally {
      this.#busy -= 1;
      this.#queue.shift()?.();
      // A hook cut off by a stop is not known to have ended.
      if (!this.#context.signal.aborted) await this.#record.end(pod, index);
    }
  }

  async #waitFor(pod: KubeObject, hook: ExecHook): Promise<void> {
    const { run, deps } = this.#context;
    const { name, namespace = '' } = pod.metadata;
    const notUp = (why: string): AppError => new AppError('timeout', `pod ${namespace}/${name} is not up: ${why}`);
    const wait = run.wait(notUp('nothing is known of it'), 'slow');
    wait.explainWith((signal) => explainPod(deps.kube, { namespace, name }, signal));
    try {
      await this.#pods.waitFor(pod, hook.waitTimeoutMs, {
        whyNot: (current) => whyNotUp(current, hook),
        onWaiting: (why) => {
          wait.tell(notUp(why));
        },
      });
    } finally {
      wait.end();
    }
  }

  async #exec(pod: { namespace: string; name: string; container: string }, hook: ExecHook): Promise<void> {
    const { deps, signal, log, run } = this.#context;
    const what = `hook ${hook.source} in container ${pod.container} of pod ${pod.namespace}/${pod.name} still runs`;
    const wait = run.wait(new AppError('timeout', what), 'slow');
    wait.explainWith((until) => explainPod(deps.kube, pod, until));
    const options = { command: hook.command, signal, deadlineMs: hook.execTimeoutMs };
    const { exitCode, output } = await runCommand(deps.kube, pod, options).finally(() => {
      wait.end();
    });
    log.info('hook ended', { pod: `${pod.namespace}/${pod.name}`, exitCode, output: maskSecrets(output) });
    if (exitCode !== 0) throw new AppError('invalid', `exit code ${exitCode}: ${output.slice(0, 200)}`);
  }

  async #slot(): Promise<void> {
    if (this.#busy >= PARALLEL) {
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
    }
    this.#busy += 1;
  }
}
