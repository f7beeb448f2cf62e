import { AppError, messageOf, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { aboutItem, execHooksFor, type ExecHook } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { PodStates } from './pod-states.ts';
import type { Session } from './session.ts';

/** Commands at the same time; pods that are waited for do not count. */
const PARALLEL = 20;
const MAX_OUTPUT = 2048;

/** Runs the commands that restored pods are to get, while the restore goes on. */
export class ExecHooks {
  readonly #session: Session;
  readonly #pods: PodStates;
  readonly #running = new Set<Promise<void>>();
  readonly #queue: (() => void)[] = [];
  #busy = 0;

  constructor(session: Session) {
    this.#session = session;
    this.#pods = new PodStates(session);
  }

  /** For a pod as it was created; returns at once. */
  start(pod: KubeObject): void {
    const { restore } = this.#session;
    const hooks = execHooksFor(pod, { ...restore.spec, namespaceMapping: {} });
    if (hooks.length === 0) return;
    const work = this.#runAll(pod, hooks).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Resolves when every hook has run, failed or waited long enough. */
  async finish(): Promise<void> {
    try {
      while (this.#running.size > 0) await Promise.all(this.#running);
    } finally {
      await this.#pods.close();
    }
  }

  /** One after the other. Whether a failed one ends those of its pod, its `onError` says; other pods go on. */
  async #runAll(pod: KubeObject, hooks: readonly ExecHook[]): Promise<void> {
    const { status, signal, log, run } = this.#session;
    const { name, namespace = '' } = pod.metadata;
    for (const hook of hooks) {
      if (signal.aborted) return;
      status.hooks.hooksAttempted += 1;
      const fields = { pod: `${namespace}/${name}`, container: hook.container, hook: hook.source };
      try {
        await this.#runOne(pod, hook);
        log.info('hook has run', fields);
      } catch (error) {
        if (signal.aborted) return;
        status.hooks.hooksFailed += 1;
        log.error('hook failed', { ...fields, err: messageOf(error) });
        const text = `hook ${hook.source} in container ${hook.container} of pod ${name} failed: ${messageOf(error)}`;
        this.#session.messages.add({ level: 'errors', about: aboutItem(namespace), text });
        if (hook.onError === 'Fail') return;
      }
      run.feed({ kind: 'worked' });
    }
  }

  async #runOne(pod: KubeObject, hook: ExecHook): Promise<void> {
    const { name, namespace = '' } = pod.metadata;
    await this.#pods.waitFor(pod, hook.waitTimeoutMs, (current) => whyNotUp(current, hook));
    await this.#slot();
    try {
      await this.#exec({ namespace, name, container: hook.container }, hook);
    } finally {
      this.#busy -= 1;
      this.#queue.shift()?.();
    }
  }

  async #exec(pod: { namespace: string; name: string; container: string }, hook: ExecHook): Promise<void> {
    const { deps, signal, log, run } = this.#session;
    const what = `hook ${hook.source} in container ${pod.container} of pod ${pod.namespace}/${pod.name} still runs`;
    run.waiting(new AppError('timeout', what), 'slow');
    let output = '';
    const keep = (bytes: Uint8Array): void => {
      if (output.length < MAX_OUTPUT)
        output += Buffer.from(bytes)
          .toString()
          .slice(0, MAX_OUTPUT - output.length);
    };
    const options = { command: hook.command, stdout: keep, stderr: keep, signal, deadlineMs: hook.execTimeoutMs };
    const { exitCode } = await deps.kube.exec(pod, options).finally(() => {
      run.resumed();
    });
    log.info('hook ended', { pod: `${pod.namespace}/${pod.name}`, exitCode, output });
    if (exitCode !== 0) throw new AppError('invalid', `exit code ${exitCode}: ${output.trim().slice(0, 200)}`);
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

/** Why a hook cannot run yet, or undefined when it can. Throws when it never will. */
function whyNotUp(pod: JsonObject, hook: ExecHook): string | undefined {
  const phase = textAt(pod, 'status', 'phase') ?? 'Pending';
  if (phase === 'Succeeded' || phase === 'Failed') throw new AppError('invalid', `the pod has ended as ${phase}`);
  const statuses = [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
  ];
  const container = statuses.find((entry) => entry.name === hook.container);
  const state = container?.state as JsonObject | undefined;
  if (state?.running !== undefined) {
    return hook.waitForReady && container?.ready !== true ? 'the container is not ready' : undefined;
  }
  const waiting = textAt(container, 'state', 'waiting', 'reason');
  const scheduled = objectsAt(pod, 'status', 'conditions').find((entry) => entry.type === 'PodScheduled');
  return waiting ?? textAt(scheduled, 'reason') ?? `the pod is ${phase}`;
}
