import type { Container } from '../../controllers/kinds/index.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, type Clock } from '../../../base/index.ts';
import type { ContainerLog } from '../logs/index.ts';
import { runProbe } from '../probes/index.ts';
import { startFailure, type ContainerProcess } from '../process/index.ts';
import { Output } from './output.ts';
import type { Excess } from './usage-watch.ts';

export interface RunEnd {
  exitCode: number;
  /** What kept the program from being started at all. */
  startFailure?: string;
  excess?: Excess;
}

interface RunDeps {
  container: Container;
  process: ContainerProcess;
  log: ContainerLog;
  podIP: string;
  clock: Clock;
}

/** At least so long a program has after its last hook, however long that took. */
const LEAST_GRACE_MS = 2000;
const START_ERROR = 128;

/** One life of a container, from its first process to the last line of its log. */
export class ContainerRun {
  readonly container: Container;
  readonly process: ContainerProcess;
  readonly log: ContainerLog;
  readonly output: Output;
  readonly ended: Promise<RunEnd>;
  readonly podIP: string;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #excess: Excess | undefined;
  #killAt = Infinity;
  #stopping: Promise<void> | undefined;

  constructor({ container, process, log, podIP, clock }: RunDeps) {
    this.container = container;
    this.process = process;
    this.log = log;
    this.podIP = podIP;
    this.#clock = clock;
    this.output = new Output(process, log);
    this.ended = this.#end();
    // A container whose input nobody will ever send need not wait for it.
    if (container.stdin !== true) process.input?.end();
  }

  /** Aborted when it has ended. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Somebody has asked it to end. */
  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  exceed(excess: Excess): void {
    this.#excess = excess;
  }

  /**
   * Asks it to end and ends it when the time is over. Asked again with less time, that counts. `onHookFailure` hears of a
   * hook that failed.
   */
  stop(graceMs: number, onHookFailure: (message: string) => void): void {
    this.#killAt = Math.min(this.#killAt, this.#clock.now() + graceMs);
    if (graceMs <= 0) this.process.kill();
    this.#stopping ??= this.#stop(onHookFailure);
  }

  async #stop(onHookFailure: (message: string) => void): Promise<void> {
    const { preStop } = this.container.lifecycle ?? {};
    if (preStop !== undefined && this.#killAt > this.#clock.now()) {
      const failure = await this.runHandler(preStop, this.#killAt - this.#clock.now());
      if (failure !== undefined) onHookFailure(failure);
      this.#killAt = Math.max(this.#killAt, this.#clock.now() + LEAST_GRACE_MS);
    }
    this.process.signal('SIGTERM');
    while (!this.signal.aborted && this.#clock.now() < this.#killAt) {
      try {
        await this.#clock.sleep(Math.min(1000, this.#killAt - this.#clock.now()), this.signal);
      } catch {
        return; // It has ended.
      }
    }
    this.process.kill();
  }

  /** Undefined when the handler did its work. */
  async runHandler(
    handler: NonNullable<NonNullable<Container['lifecycle']>['preStop']>,
    withinMs: number,
  ): Promise<string | undefined> {
    try {
      if (handler.sleep !== undefined) {
        await delay(Math.min(handler.sleep.seconds * 1000, withinMs), undefined, { signal: this.signal });
        return undefined;
      }
      const { container, podIP } = this;
      const run = (command: readonly string[]) => this.process.run({ command, hasInput: false, isTerminal: false });
      return await runProbe({ container, podIP, run }, handler, withinMs);
    } catch (error) {
      return this.signal.aborted ? undefined : messageOf(error);
    }
  }

  async #end(): Promise<RunEnd> {
    const { code } = await this.process.ended.catch(() => ({ code: START_ERROR }));
    await this.output.drain();
    const failure = startFailure(code, this.output.said);
    await this.log.end();
    // Not the container's own words.
    if (failure !== undefined) await this.log.clear().catch(() => undefined);
    this.#over.abort();
    return {
      exitCode: failure === undefined ? code : START_ERROR,
      ...(failure === undefined ? {} : { startFailure: failure }),
      ...(this.#excess === undefined ? {} : { excess: this.#excess }),
    };
  }
}
