import { AppError, labelValue, messageOf, type Clock, type Log } from '../../../base/index.ts';
import { EXCLUDE_LABEL } from '../../../core/backup/index.ts';
import { formatJob, LineCutter, parseLine, type MoverJob } from '../../../core/volumes/index.ts';
import type { KubeClient, LogLine } from '../../../edge/kube/index.ts';
import type { KopiaSecrets, RunningMover, StartMover } from '../../../edge/volumes/index.ts';
import { podName, PodRunner, type PodRequest } from '../../pods/index.ts';
import { childAbort, type ChildAbort } from '../../runtime/index.ts';
import { Channel } from './channel.ts';
import { claimLoss } from './claim-loss.ts';
import { bindToPod, putJobSecret, removeJobSecret } from './job-secret.ts';
import { MOVER_CONTAINER, moverPodSpec, READY, TALK, type MoverPod } from './pod-spec.ts';
import { MOVER_PURPOSE } from './purpose.ts';
import type { MoverCall } from './task.ts';

export interface PodMoverDeps {
  kube: KubeClient;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** Everything about a mover but its job. */
export interface PodMover {
  namespace: string;
  /** The namespace of the velero.io objects of the server that runs it. */
  server: string;
  owner: PodRequest['owner'];
  attempt: number;
  /** The name of the BackupStorageLocation. */
  location: string;
  pod: Omit<MoverPod, 'secret' | 'isTalkedTo'>;
  secrets: KopiaSecrets | undefined;
}

/** The label with the volume's id: pods of earlier attempts are found by it. */
export const VOLUME_LABEL = 'headway.io/volume';
/** The label with the server's namespace: a cluster may have several servers, and each clears away its own alone. */
const SERVER_LABEL = 'headway.io/server-namespace';
/** Nobody wants a mover back, and its keys must not be in the archive, not even in that of Velero. */
const NOT_BACKED_UP = { [EXCLUDE_LABEL]: 'true' } as const;
/** The label with what it does, such as `list`. */
const JOB_LABEL = 'headway.io/mover-job';
export const MOVER_LABELS = { purpose: MOVER_PURPOSE, server: SERVER_LABEL, job: JOB_LABEL } as const;
/** A volume of many terabytes takes days. Somebody who knows better cancels. */
const DEADLINE_MS = 7 * 24 * 3600_000;
/** Somebody waits for a list, and nobody looks for the pod of one that was given up. */
export const LIST_MS: number = 10 * 60_000;
/** A mover prints twice a second. One that is not heard for so long hangs, or its node does. */
const SILENT_MS = 10 * 60_000;
const LOOK_MS = 10_000;
/** A pod that is talked to says at once that it is ready, and the talk ends with it; but a machine may be busy. */
const TALK_MS = 60_000;
/** Who has said the last word has nothing left to do but to end. */
const LAST_WORD_MS = 30_000;

export function moverPodName(owner: PodRequest['owner'], job: Pick<MoverJob, 'id' | 'kind'>, attempt: number): string {
  return podName(`headway-${job.kind}-${job.id}`, [owner.object.metadata.uid ?? '', job.kind, job.id, String(attempt)]);
}

/** Starts a mover in a pod of its own, or finds it again. What it prints comes from its log, or through an exec. */
export function podMover(mover: PodMover, deps: PodMoverDeps, call: MoverCall): StartMover {
  return (job, { signal, input }) => Promise.resolve(new PodMoverRun(mover, job, deps, call).start(signal, input));
}

class PodMoverRun {
  readonly #mover: PodMover;
  readonly #job: MoverJob;
  readonly #deps: PodMoverDeps;
  readonly #call: MoverCall;
  readonly #name: string;
  readonly #lines = new Channel<string>();
  readonly #output = new Channel<Uint8Array>();
  #heardAt: number;
  #hasBegun = false;
  #why = 'its pod did not start';
  #talk: Promise<unknown> | undefined;
  /** The store has not taken what came last. */
  #isPushing = false;
  #hasSaidAll = false;

  constructor(mover: PodMover, job: MoverJob, deps: PodMoverDeps, call: MoverCall) {
    this.#mover = mover;
    this.#job = job;
    this.#deps = deps;
    this.#call = call;
    this.#name = moverPodName(mover.owner, job, mover.attempt);
    this.#heardAt = deps.clock.uptime();
  }

  /** Names of files belong to whoever asked for them: a log is kept by the node, and read by others. */
  get #isTalkedTo(): boolean {
    return this.#job.uploader === 'stream' || this.#job.kind === 'list';
  }

  get #deadlineMs(): number {
    return this.#job.kind === 'list' ? LIST_MS : DEADLINE_MS;
  }

  start(signal: AbortSignal, input: AsyncIterable<Uint8Array> | undefined): RunningMover {
    const stop = childAbort(signal);
    const over = new AbortController();
    void this.#listen(stop, over.signal);
    const ended = this.#run(stop, input).finally(() => {
      over.abort();
      stop.unlink();
      this.#lines.end();
      this.#output.end();
    });
    // Whoever waits for its end hears of it; its lines may be read first.
    ended.catch(() => undefined);
    return { lines: this.#lines, output: this.#output, ended };
  }

  async #run(stop: ChildAbort, input: AsyncIterable<Uint8Array> | undefined): Promise<number> {
    const { lasting, api } = this.#call;
    const runner = new PodRunner({ ...this.#deps, api }, lasting);
    const secret = { namespace: this.#mover.namespace, name: this.#name };
    try {
      await this.#putSecret(stop.signal);
      const { exitCode } = await runner.run(this.#request(), {
        signal: stop.signal,
        lasting,
        isCanceled: () => !this.#isLeft(),
        // From now on it goes with its pod, whatever becomes of us.
        onPlaced: (pod) => void bindToPod(secret, pod, this.#deps, stop.signal),
        onStarted: () => {
          if (this.#isTalkedTo) void this.#expectReady(stop);
        },
        onLine: (line) => this.#hear(line, stop, input),
        onWaiting: (cause) => this.#waiting(cause),
      });
      await this.#talkEnded(stop);
      return exitCode;
    } finally {
      await runner.close();
      if (!this.#isLeft() && !lasting.aborted) await removeJobSecret(secret, this.#deps, lasting);
    }
  }

  /** Only this process stops, and the mover goes on without it. One that is talked to cannot. */
  #isLeft(): boolean {
    const { signal, isCanceled } = this.#call;
    return !this.#isTalkedTo && signal.aborted && !isCanceled(signal);
  }

  async #putSecret(signal: AbortSignal): Promise<void> {
    const { namespace, owner, secrets, server, location } = this.#mover;
    const ownerUid = owner.object.metadata.uid ?? '';
    const labels = { [SERVER_LABEL]: server, [JOB_LABEL]: this.#job.kind, ...NOT_BACKED_UP };
    const secret = { namespace, name: this.#name, ownerUid, labels, location, job: formatJob(this.#job), secrets };
    await this.#call.api(signal).call(() => putJobSecret(secret, this.#deps.kube, signal));
  }

  #request(): PodRequest {
    const { namespace, owner, pod, server } = this.#mover;
    return {
      name: this.#name,
      namespace,
      purpose: MOVER_PURPOSE,
      owner,
      labels: {
        ...{ [VOLUME_LABEL]: labelValue(this.#job.id), [SERVER_LABEL]: server, [JOB_LABEL]: this.#job.kind },
        ...NOT_BACKED_UP,
      },
      spec: moverPodSpec({ ...pod, secret: this.#name, isTalkedTo: this.#isTalkedTo }),
      container: MOVER_CONTAINER,
      deadlineMs: this.#deadlineMs,
    };
  }

  async #hear({ line }: LogLine, stop: ChildAbort, input: AsyncIterable<Uint8Array> | undefined): Promise<void> {
    this.#heardAt = this.#deps.clock.uptime();
    this.#hasBegun = true;
    if (!this.#isTalkedTo) await this.#lines.push(line);
    else if (line === READY && this.#talk === undefined) {
      this.#talk = this.#converse(stop.signal, input);
      this.#talk.catch((error: unknown) => {
        stop.abort(error);
      });
    }
  }

  /** Runs the mover in its waiting pod: the archive is its output or its input, the lines are what it says beside. */
  async #converse(signal: AbortSignal, input: AsyncIterable<Uint8Array> | undefined): Promise<void> {
    const cutter = new LineCutter();
    const decoder = new TextDecoder();
    const target = { namespace: this.#mover.namespace, name: this.#name, container: MOVER_CONTAINER };
    await this.#deps.kube.exec(target, {
      command: TALK,
      ...(input === undefined ? {} : { stdin: input }),
      stdout: async (bytes) => {
        this.#isPushing = true;
        await this.#output.push(bytes);
        this.#isPushing = false;
        this.#heardAt = this.#deps.clock.uptime();
      },
      stderr: async (bytes) => {
        this.#heardAt = this.#deps.clock.uptime();
        for (const line of cutter.push(decoder.decode(bytes, { stream: true }))) {
          this.#hasSaidAll ||= isLastWord(line);
          await this.#lines.push(line);
        }
      },
      signal,
      deadlineMs: this.#deadlineMs,
    });
    const last = cutter.end();
    if (last !== undefined) await this.#lines.push(last);
    this.#output.end();
  }

  /** Its words may be lost on the way, and nothing else would ever tell. */
  async #expectReady(stop: ChildAbort): Promise<void> {
    if (!(await this.#isLate(stop.signal)) || this.#talk !== undefined) return;
    stop.abort(new AppError('unreachable', 'copy a volume: its pod has started, and does not say that it is ready'));
  }

  /** The pod has ended. What it said may still wait for a store that takes its time; else the talk is over as well. */
  async #talkEnded(stop: ChildAbort): Promise<void> {
    const over = childAbort(stop.signal);
    const watching = this.#expectEnd(stop, over.signal);
    try {
      await this.#talk;
    } finally {
      over.abort(new AppError('canceled', 'the talk is over'));
      over.unlink();
      await watching;
    }
  }

  async #expectEnd(stop: ChildAbort, over: AbortSignal): Promise<void> {
    while (await this.#isLate(over)) {
      if (this.#isPushing || this.#deps.clock.uptime() - this.#heardAt < TALK_MS) continue;
      stop.abort(new AppError('unreachable', 'copy a volume: its pod has ended, and the talk with it has not'));
      return;
    }
  }

  /** False if the signal comes first. */
  async #isLate(signal: AbortSignal): Promise<boolean> {
    return await this.#deps.clock.sleep(TALK_MS, signal).then(
      () => true,
      () => false,
    );
  }

  #waiting(cause: AppError): ReturnType<MoverCall['onWaiting']> {
    const wait = this.#call.onWaiting(cause);
    return {
      ...wait,
      tell: (next) => {
        this.#why = next.message;
        wait.tell(next);
      },
    };
  }

  #silence(): AppError {
    const text = `nothing was heard of its mover for ${SILENT_MS / 60_000} minutes: ${this.#why}`;
    return new AppError('timeout', `copy a volume: ${text}`);
  }

  /** Why a pod that has not begun never will. */
  async #whyNever(signal: AbortSignal): Promise<AppError | undefined> {
    const { claim: name } = this.#mover.pod;
    if (this.#hasBegun || name === undefined) return undefined;
    return await claimLoss({ namespace: this.#mover.namespace, name }, this.#deps, signal);
  }

  /** Ends a mover that is not heard any more, or never will be. */
  async #listen(stop: ChildAbort, over: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    while (!over.aborted) {
      try {
        await clock.sleep(LOOK_MS, over);
      } catch {
        return; // It has ended.
      }
      const idleMs = clock.uptime() - this.#heardAt;
      if (this.#hasSaidAll && !this.#isPushing && idleMs >= LAST_WORD_MS) {
        stop.abort(new AppError('unreachable', 'copy a volume: its mover has said its last word, and does not end'));
        return;
      }
      const error = idleMs >= SILENT_MS ? this.#silence() : await this.#whyNever(over);
      if (error === undefined) continue;
      log.warn('mover is given up', { pod: this.#name, err: messageOf(error) });
      stop.abort(error);
      return;
    }
  }
}

function isLastWord(line: string): boolean {
  const { line: word } = parseLine(line) ?? {};
  return word === 'completed' || word === 'failed';
}
