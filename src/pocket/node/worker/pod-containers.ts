import { messageOf } from '../../../base/index.ts';
import type { Container, Pod } from '../../controllers/kinds/index.ts';
import {
  lastWordsFile,
  startContainer,
  supervise,
  Teller,
  terminationMessage,
  type ContainerRun,
  type PodPaths,
  type RunEnd,
  type WorkerDeps,
} from '../container/index.ts';
import { NODE_IP } from '../node-object.ts';
import {
  afterRestart,
  allContainers,
  backOffText,
  containerId,
  isSidecar,
  newRecord,
  type ContainerRecord,
  type Ended,
  type Records,
} from '../pod/index.ts';
import { whyNotRunnable } from './runnable.ts';
import { adopted, endedRecord, isDoneAtOnce, simulatedRecord } from './simulated-records.ts';

interface Options {
  deps: WorkerDeps;
  pod: () => Pod;
  /** What is known of them from before. */
  records: Map<string, ContainerRecord>;
  paths: PodPaths;
  volumes: () => ReadonlyMap<string, { path: string; isReadOnly: boolean }>;
  onChange: () => void;
}

/** A container that could not be created is tried again after a while, or when something changes that it needs. */
const TRY_AGAIN_MS = 10_000;
const KILLED = 137;

/** The containers of one pod: what is known of each, and the processes behind them. */
export class PodContainers {
  readonly #options: Options;
  readonly #tell: Teller;
  readonly #records: Map<string, ContainerRecord>;
  readonly #runs = new Map<string, ContainerRun>();
  readonly #starting = new Map<string, Promise<void>>();
  /** Of each container, the end of its newest life. */
  readonly #ending = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: Options) {
    const { deps, pod, records } = options;
    this.#options = options;
    this.#tell = new Teller(deps.events, pod);
    this.#records = records;
    const whyNot = (name: string): string | undefined => {
      const container = allContainers(pod()).find((one) => one.name === name);
      return container === undefined ? undefined : whyNotRunnable(pod(), container, deps);
    };
    for (const record of adopted(pod(), records, whyNot)) records.set(record.name, record);
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
    const starting = deps.starts
      .pass(() => this.#begin(container))
      .catch((error: unknown) => {
        this.#wait(name, 'CreateContainerError', messageOf(error));
      })
      .finally(() => {
        this.#starting.delete(name);
        this.#options.onChange();
      });
    this.#starting.set(name, starting);
  }

  /** Ended too often: it waits, and says so. */
  backOff(container: Container): void {
    const { state, backOff } = this.#record(container.name);
    if (state.kind !== 'ended') return;
    const { name, namespace = '', uid = '' } = this.#options.pod().metadata;
    const where = `${name}_${namespace}(${uid})`;
    const delay = backOff === undefined ? '' : backOffText(backOff);
    const message = `back-off ${delay} restarting failed container=${container.name} pod=${where}`;
    this.#change(container.name, { state: { kind: 'waiting', reason: 'CrashLoopBackOff', message }, last: state });
    this.#tell.warn(container, 'BackOff', `Back-off restarting failed container ${container.name} in pod ${where}`);
  }

  stop(name: string, graceMs: number): void {
    const record = this.#record(name);
    if (record.simulated !== undefined) {
      this.#records.set(name, endedRecord(record, this.#options.deps.clock.now()));
      this.#options.onChange();
      return;
    }
    const run = this.#runs.get(name);
    if (run === undefined) return;
    if (!run.isStopping) this.#tell.normal(run.container, 'Killing', `Stopping container ${name}`);
    run.stop(graceMs, (failure) => {
      this.#tell.warn(run.container, 'FailedPreStopHook', 'PreStopHook failed');
      this.#options.deps.log.debug('a hook of a container failed', { container: name, failure });
    });
  }

  stopAll(graceMs: number): void {
    for (const { name, simulated } of [...this.#records.values()]) if (simulated !== undefined) this.stop(name, 0);
    for (const run of this.#runs.values()) run.stop(graceMs, () => undefined);
  }

  /** Resolves when all processes that are there now have ended. */
  async quiet(): Promise<void> {
    await Promise.all(this.#starting.values());
    await Promise.all(this.#ending.values());
  }

  /** What could not be created may be tried at once. */
  tryAgain(): void {
    for (const [name, { notBefore }] of this.#records)
      if (notBefore !== undefined) this.#change(name, { notBefore: 0 });
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    for (const run of this.#runs.values()) run.stop(graceMs, () => undefined);
    // What is just being started is stopped when it has.
    await this.quiet();
  }

  async #begin(container: Container): Promise<void> {
    const { deps, pod, paths, volumes } = this.#options;
    const { name } = container;
    if (this.#isClosed) return;
    const found = deps.findImage(container.image ?? '');
    if (found.kind === 'invalid') {
      this.#tell.warn(container, 'InspectFailed', found.problem);
      this.#wait(name, 'InvalidImageName', found.problem);
    }
    if (found.kind !== 'image') return;
    const before = this.#record(name);
    const last = before.state.kind === 'ended' ? before.state : before.last;
    const restarts = last === undefined ? before.restarts : before.restarts + 1;
    const facts = { pod: pod(), container, image: found.image, restarts, podIP: this.podIP(pod()), paths };
    const started = await startContainer(deps, { ...facts, volumes: volumes() }, this.#tell);
    if (started.kind === 'waiting') {
      this.#wait(name, started.reason, started.message);
      if (last !== undefined) this.#change(name, { last });
    } else this.#take(started.run, { before, last, restarts });
  }

  #take(
    run: ContainerRun,
    { before, last, restarts }: { before: ContainerRecord; last: Ended | undefined; restarts: number },
  ): void {
    const { deps, pod } = this.#options;
    const { container } = run;
    const { name, startupProbe, readinessProbe } = container;
    const now = deps.clock.now();
    this.#runs.set(name, run);
    this.#records.set(name, {
      ...newRecord(name),
      state: { kind: 'running', startedAt: now, id: containerId(pod(), name, restarts) },
      restarts,
      ...(last === undefined ? {} : { last, backOff: afterRestart(before.backOff, last.finishedAt, now) }),
      isStarted: startupProbe === undefined,
      isReady: !this.#isFirst(container) && startupProbe === undefined && readinessProbe === undefined,
    });
    this.#tell.normal(container, 'Started', 'Container started');
    supervise(run, {
      deps,
      tell: this.#tell,
      graceMs: () => (pod().spec.terminationGracePeriodSeconds ?? 30) * 1000,
      onVerdict: (kind, isContent) => {
        if (this.#runs.get(name) !== run) return;
        if (kind === 'readiness') this.#change(name, { isReady: isContent });
        else this.#change(name, { isStarted: true, isReady: readinessProbe === undefined });
        this.#options.onChange();
      },
    });
    this.#ending.set(
      name,
      run.ended.then((end) => this.#end(run, end)),
    );
    if (this.#isClosed) run.stop(0, () => undefined);
  }

  async #end(run: ContainerRun, end: RunEnd): Promise<void> {
    const { deps, paths } = this.#options;
    const { container, log } = run;
    const { name } = container;
    const { exitCode, startFailure, excess } = end;
    const file = lastWordsFile(paths, name);
    // Without its last words it has ended all the same.
    const words = await terminationMessage(container, { file, logDir: log.dir, exitCode }).catch(() => '');
    if (log.lost > 0) this.#tell.warn(container, 'LogLost', `${log.lost} bytes of its log could not be written`);
    this.#runs.delete(name);
    const now = deps.clock.now();
    const { state } = this.#record(name);
    const { startedAt, id } = state.kind === 'running' ? state : { startedAt: now, id: '' };
    const message = startFailure ?? (excess?.kind === 'processes' ? excess.message : words);
    this.#change(name, {
      state: {
        kind: 'ended',
        exitCode: excess === undefined ? exitCode : KILLED,
        reason: reasonOf(end),
        ...(message === '' ? {} : { message }),
        startedAt,
        finishedAt: now,
        id,
      },
      isReady: false,
      isStarted: false,
    });
    this.#options.onChange();
  }

  /** Looks like one that runs; why it does not is told. */
  #simulate(container: Container, reason: string): void {
    const { deps, pod, onChange } = this.#options;
    const now = deps.clock.now();
    const record = simulatedRecord(pod(), this.#record(container.name), reason, now);
    const isDone = isDoneAtOnce(pod(), this.#isFirst(container));
    this.#records.set(container.name, isDone ? endedRecord(record, now) : record);
    this.#tell.normal(container, 'Simulated', `container "${container.name}" is simulated: ${reason}`);
    onChange();
  }

  /** It ends before the others begin. */
  #isFirst(container: Container): boolean {
    const init = this.#options.pod().spec.initContainers ?? [];
    return init.some(({ name }) => name === container.name) && !isSidecar(container);
  }

  #wait(name: string, reason: string, message: string): void {
    const notBefore = this.#options.deps.clock.now() + TRY_AGAIN_MS;
    this.#change(name, { state: { kind: 'waiting', reason, message }, notBefore });
  }

  #record(name: string): ContainerRecord {
    return this.#records.get(name) ?? newRecord(name);
  }

  #change(name: string, change: Partial<ContainerRecord>): void {
    this.#records.set(name, { ...this.#record(name), ...change });
  }
}

function reasonOf({ exitCode, startFailure, excess }: RunEnd): string {
  if (startFailure !== undefined) return 'StartError';
  if (excess?.kind === 'memory') return 'OOMKilled';
  return exitCode === 0 && excess === undefined ? 'Completed' : 'Error';
}
