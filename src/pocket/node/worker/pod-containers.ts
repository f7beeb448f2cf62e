import { quantityValue } from '../../builtins/index.ts';
import type { Container, Pod } from '../../controllers/kinds/index.ts';
import { controllerOf } from '../../controllers/owner-index.ts';
import {
  afterRestart,
  allContainers,
  backOffText,
  containerId,
  isSidecar,
  newRecord,
  UNSEEN,
  type ContainerRecord,
  type Ended,
  type Records,
} from '../pod/index.ts';
import { probeContainer, type ProbeKind } from '../probes/index.ts';
import { NODE_IP } from '../node-object.ts';
import type { ContainerRun, RunEnd } from './container-run.ts';
import type { PodPaths } from './pod-paths.ts';
import type { WorkerDeps } from './ports.ts';
import { whyNotRunnable } from './runnable.ts';
import { lastWordsFile, startContainer, type Started } from './start-container.ts';
import { terminationMessage } from './termination-message.ts';

interface Options {
  deps: WorkerDeps;
  pod: () => Pod;
  /** What is known of them from before. */
  records: Map<string, ContainerRecord>;
  paths: PodPaths;
  volumes: () => ReadonlyMap<string, { path: string; isReadOnly: boolean }>;
  onChange(): void;
}

/** A container that could not be created is tried again after a while, or when something changes that it needs. */
const TRY_AGAIN_MS = 10_000;
const MAX_PROCESSES = 2000;
/** Of the machine, for a container without a limit. */
const MEMORY_SHARE = 0.5;

/** The containers of one pod: what is known of each, and the processes behind them. */
export class PodContainers {
  readonly #options: Options;
  readonly #records: Map<string, ContainerRecord>;
  readonly #runs = new Map<string, ContainerRun>();
  readonly #starting = new Set<string>();
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#records = options.records;
    this.#adoptSimulated();
  }

  get records(): Records {
    return this.#records;
  }

  /** No process of the pod is there, and none is on its way. */
  get isQuiet(): boolean {
    const isRunning = [...this.#records.values()].some(({ state }) => state.kind === 'running');
    return !isRunning && this.#runs.size === 0 && this.#starting.size === 0;
  }

  run(name: string): ContainerRun | undefined {
    return this.#runs.get(name);
  }

  podIP({ spec, metadata }: Pod): string {
    return spec.hostNetwork === true ? NODE_IP : this.#options.deps.addressOf(metadata.uid ?? '');
  }

  start(container: Container): void {
    const { name } = container;
    if (this.#starting.has(name) || this.#runs.has(name) || this.#isClosed) return;
    const { deps, pod } = this.#options;
    const simulated = whyNotRunnable(pod(), container, deps);
    if (simulated !== undefined) {
      this.#simulate(container, simulated);
      return;
    }
    this.#starting.add(name);
    void deps.starts
      .pass(() => this.#begin(container))
      .catch((error: unknown) => {
        this.#change(name, { state: { kind: 'waiting', reason: 'CreateContainerError', message: String(error) } });
        this.#waitToTryAgain(name);
      })
      .finally(() => {
        this.#starting.delete(name);
        this.#options.onChange();
      });
  }

  /** Ended too often: it waits, and says so. */
  backOff(container: Container): void {
    const record = this.#record(container.name);
    if (record.state.kind !== 'ended') return;
    const { deps, pod } = this.#options;
    const { name, namespace = '', uid = '' } = pod().metadata;
    const where = `${name}_${namespace}(${uid})`;
    const delay = record.backOff === undefined ? '' : backOffText(record.backOff);
    const message = `back-off ${delay} restarting failed container=${container.name} pod=${where}`;
    this.#change(container.name, {
      state: { kind: 'waiting', reason: 'CrashLoopBackOff', message },
      last: record.state,
    });
    deps.events.record(pod(), {
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container ${container.name} in pod ${where}`,
      ...this.#about(container),
    });
  }

  stop(name: string, graceMs: number): void {
    const record = this.#records.get(name);
    if (record?.simulated !== undefined && record.state.kind === 'running') {
      this.#endSimulated(record);
      this.#options.onChange();
      return;
    }
    const run = this.#runs.get(name);
    if (run === undefined) return;
    const { deps, pod } = this.#options;
    if (!run.isStopping) {
      const message = `Stopping container ${name}`;
      deps.events.record(pod(), { type: 'Normal', reason: 'Killing', message, ...this.#about(run.container) });
    }
    run.stop(graceMs, (failure) => {
      this.#tellHook('FailedPreStopHook', 'PreStopHook failed', run.container, failure);
    });
  }

  stopAll(graceMs: number): void {
    for (const [name, { state, simulated }] of this.#records) {
      if (state.kind === 'running' && simulated !== undefined) this.stop(name, 0);
    }
    for (const run of this.#runs.values()) run.stop(graceMs, () => undefined);
  }

  /** What could not be created may be tried at once. */
  tryAgain(): void {
    for (const [name, { notBefore }] of this.#records) if (notBefore !== undefined) this.#change(name, { notBefore: 0 });
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop(graceMs, () => undefined);
    await Promise.all(runs.map((run) => run.ended));
  }

  async #begin(container: Container): Promise<void> {
    const { deps, pod, paths, volumes } = this.#options;
    const { name } = container;
    const found = deps.findImage(container.image ?? '');
    if (found.kind === 'invalid') {
      deps.events.record(pod(), { type: 'Warning', reason: 'InspectFailed', message: found.problem, ...this.#about(container) });
      this.#change(name, { state: { kind: 'waiting', reason: 'InvalidImageName', message: found.problem } });
      this.#waitToTryAgain(name);
      return;
    }
    if (found.kind === 'unknown') return;
    const before = this.#record(name);
    const last = before.state.kind === 'ended' ? before.state : before.last;
    const restarts = last === undefined ? before.restarts : before.restarts + 1;
    const started = await startContainer(deps, {
      pod: pod(),
      container,
      isInit: this.#isInit(container),
      image: found.image,
      restarts,
      podIP: this.podIP(pod()),
      paths,
      volumes: volumes(),
    });
    this.#take(container, started, { before, last, restarts });
  }

  #take(
    container: Container,
    started: Started,
    { before, last, restarts }: { before: ContainerRecord; last: Ended | undefined; restarts: number },
  ): void {
    const { deps, pod } = this.#options;
    const { name } = container;
    if (started.kind === 'waiting') {
      const { reason, message } = started;
      this.#change(name, { state: { kind: 'waiting', reason, message }, ...(last === undefined ? {} : { last }) });
      this.#waitToTryAgain(name);
      return;
    }
    const now = deps.clock.now();
    const { run } = started;
    const id = containerId(pod(), name, restarts);
    this.#runs.set(name, run);
    this.#records.set(name, {
      ...newRecord(name),
      state: { kind: 'running', startedAt: now, id },
      restarts,
      ...(last === undefined ? {} : { last, backOff: afterRestart(before.backOff, last.finishedAt, now) }),
      isStarted: container.startupProbe === undefined,
      isReady: !this.#isFirst(container) && container.startupProbe === undefined && container.readinessProbe === undefined,
    });
    deps.events.record(pod(), { type: 'Normal', reason: 'Started', message: 'Container started', ...this.#about(container) });
    this.#watchUsage(container, run);
    this.#probe(container, run);
    void this.#afterStart(container, run);
    void run.ended.then((end) => this.#end(container, run, end));
    if (this.#isClosed) run.stop(0, () => undefined);
  }

  async #end(container: Container, run: ContainerRun, end: RunEnd): Promise<void> {
    const { deps, paths, pod } = this.#options;
    const { name } = container;
    const record = this.#record(name);
    const words = await terminationMessage(container, {
      file: lastWordsFile(paths, name),
      logDir: run.log.dir,
      exitCode: end.exitCode,
    });
    if (run.log.lost > 0) {
      const message = `${run.log.lost} bytes of the log of container ${name} could not be written`;
      deps.events.record(pod(), { type: 'Warning', reason: 'LogLost', message, ...this.#about(container) });
    }
    this.#runs.delete(name);
    const { state } = record;
    const [startedAt, id] = state.kind === 'running' ? [state.startedAt, state.id] : [deps.clock.now(), ''];
    const message = end.startFailure ?? (end.excess?.kind === 'processes' ? end.excess.message : words);
    this.#change(name, {
      state: {
        kind: 'ended',
        exitCode: end.excess === undefined ? end.exitCode : 137,
        reason: reasonOf(end),
        ...(message === '' ? {} : { message }),
        startedAt,
        finishedAt: deps.clock.now(),
        id,
      },
      isReady: false,
      isStarted: false,
    });
    this.#options.onChange();
  }

  /** Looks like one that runs; why it does not is told once. */
  #simulate(container: Container, reason: string): void {
    const { deps, pod } = this.#options;
    const { name } = container;
    const before = this.#record(name);
    const now = deps.clock.now();
    const id = containerId(pod(), name, before.restarts);
    const message = `container "${name}" is simulated: ${reason}`;
    deps.events.record(pod(), { type: 'Normal', reason: 'Simulated', message, ...this.#about(container) });
    const record: ContainerRecord = {
      ...newRecord(name),
      state: { kind: 'running', startedAt: now, id },
      restarts: before.restarts,
      isStarted: true,
      isReady: true,
      simulated: reason,
    };
    this.#records.set(name, record);
    // What is done once counts as done as soon as it began: nothing runs that could end.
    const isJob = controllerOf(pod())?.kind === 'Job' && pod().spec.restartPolicy !== 'Always';
    if (this.#isFirst(container) || isJob) this.#endSimulated(record);
    this.#options.onChange();
  }

  /** What never had a process has not lost it when the cluster was stopped. */
  #adoptSimulated(): void {
    const { deps, pod } = this.#options;
    for (const container of allContainers(pod())) {
      const { state } = this.#record(container.name);
      const reason = whyNotRunnable(pod(), container, deps);
      if (reason === undefined || state.kind !== 'ended' || state.reason !== UNSEEN.reason) continue;
      this.#change(container.name, {
        state: { kind: 'running', startedAt: state.startedAt, id: state.id },
        isStarted: true,
        isReady: true,
        simulated: reason,
      });
    }
  }

  #endSimulated(record: ContainerRecord): void {
    if (record.state.kind !== 'running') return;
    const { startedAt, id } = record.state;
    const finishedAt = this.#options.deps.clock.now();
    this.#change(record.name, {
      state: { kind: 'ended', exitCode: 0, reason: 'Completed', startedAt, finishedAt, id },
      isReady: false,
      isStarted: false,
    });
  }

  #watchUsage(container: Container, run: ContainerRun): void {
    const { deps, pod } = this.#options;
    const limit = quantityValue(container.resources?.limits?.['memory'] ?? '');
    const stop = deps.usage.add({
      process: run.process,
      limits: { memoryBytes: limit ?? deps.node.memoryBytes * MEMORY_SHARE, processes: MAX_PROCESSES },
      onExcess: (excess) => {
        run.exceed(excess);
        const message = `Container ${container.name} was killed: ${excess.message}`;
        const reason = excess.kind === 'memory' ? 'OOMKilled' : 'TooManyProcesses';
        deps.events.record(pod(), { type: 'Warning', reason, message, ...this.#about(container) });
      },
    });
    void run.ended.then(stop);
  }

  #probe(container: Container, run: ContainerRun): void {
    const { deps, pod } = this.#options;
    const probed = {
      container,
      podIP: run.podIP,
      run: (command: readonly string[]) => run.process.run({ command, hasInput: false, isTerminal: false }),
    };
    const listener = {
      onFailure: (_kind: ProbeKind, message: string) => {
        deps.events.record(pod(), { type: 'Warning', reason: 'Unhealthy', message, ...this.#about(container) });
      },
      onVerdict: (kind: ProbeKind, isContent: boolean) => {
        this.#hear(container, run, kind, isContent);
      },
    };
    void probeContainer(probed, listener, { clock: deps.clock, signal: run.signal });
  }

  #hear(container: Container, run: ContainerRun, kind: ProbeKind, isContent: boolean): void {
    const { name } = container;
    if (this.#runs.get(name) !== run || run.signal.aborted) return;
    if (kind === 'readiness') this.#change(name, { isReady: isContent });
    else if (isContent && kind === 'startup') {
      this.#change(name, { isStarted: true, isReady: container.readinessProbe === undefined });
    } else if (!isContent) this.#kill(container, run, kind);
    this.#options.onChange();
  }

  #kill(container: Container, run: ContainerRun, kind: 'liveness' | 'startup'): void {
    const { deps, pod } = this.#options;
    const probe = kind === 'liveness' ? container.livenessProbe : container.startupProbe;
    const seconds = probe?.terminationGracePeriodSeconds ?? pod().spec.terminationGracePeriodSeconds ?? 30;
    const message = `Container ${container.name} failed ${kind} probe, will be restarted`;
    deps.events.record(pod(), { type: 'Normal', reason: 'Killing', message, ...this.#about(container) });
    run.stop(seconds * 1000, () => undefined);
  }

  /** A hook that fails when its container has just begun ends it. */
  async #afterStart(container: Container, run: ContainerRun): Promise<void> {
    const { postStart } = container.lifecycle ?? {};
    if (postStart === undefined) return;
    const failure = await run.runHandler(postStart, HOOK_WITHIN_MS);
    if (failure === undefined) return;
    this.#tellHook('FailedPostStartHook', 'PostStartHook failed', container, failure);
    run.stop((this.#options.pod().spec.terminationGracePeriodSeconds ?? 30) * 1000, () => undefined);
  }

  #tellHook(reason: string, message: string, container: Container, failure: string): void {
    const { deps, pod } = this.#options;
    deps.events.record(pod(), { type: 'Warning', reason, message, ...this.#about(container) });
    deps.log.debug('a lifecycle hook failed', { pod: pod().metadata.name, container: container.name, failure });
  }

  /** It ends before the others begin. */
  #isFirst(container: Container): boolean {
    return this.#isInit(container) && !isSidecar(container);
  }

  #isInit(container: Container): boolean {
    return (this.#options.pod().spec.initContainers ?? []).some(({ name }) => name === container.name);
  }

  #about(container: Container): { container: { name: string; isInit: boolean } } {
    return { container: { name: container.name, isInit: this.#isInit(container) } };
  }

  #record(name: string): ContainerRecord {
    return this.#records.get(name) ?? newRecord(name);
  }

  #change(name: string, change: Partial<ContainerRecord>): void {
    this.#records.set(name, { ...this.#record(name), ...change });
  }

  #waitToTryAgain(name: string): void {
    this.#change(name, { notBefore: this.#options.deps.clock.now() + TRY_AGAIN_MS });
  }
}

const HOOK_WITHIN_MS = 600_000;

function reasonOf({ exitCode, startFailure, excess }: RunEnd): string {
  if (startFailure !== undefined) return 'StartError';
  if (excess?.kind === 'memory') return 'OOMKilled';
  return exitCode === 0 && excess === undefined ? 'Completed' : 'Error';
}
