import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { formatCount, isAppError, messageOf, objectsAt, textAt, type Clock, type Level } from '../../base/index.ts';
import { phaseOfPod } from '../../core/action/index.ts';
import type { KubeClient, KubeObject, PodTarget } from '../../edge/kube/index.ts';
import { setLine, type LineFields } from './log-line.ts';
import { printedLine, PrintedLines } from './printed-lines.ts';
import { setPhases, turnOf, type SetPhase } from './set-phases.ts';
import { UnheardLines } from './unheard-lines.ts';
import { watchPods } from './watch-pods.ts';

export interface PhaseLogDeps {
  /** The caller's own: whoever may not read the log of a pod does not read it here. */
  kube: KubeClient;
  clock: Clock;
  /** The set as it is now; undefined when it is gone. */
  current: () => { set: KubeObject; hasEnded: boolean } | undefined;
  /** The log of its operation while it runs in this process: what was run inside of other pods is in it. */
  ownLog: () => AsyncIterable<Uint8Array> | undefined;
  /** Only what is in that log: whoever asks follows the pods by themselves. */
  isPrintedOnly: boolean;
  signal: AbortSignal;
}

/** How often the set is looked at, which costs nothing: it is watched anyway. */
const LOOK_MS = 250;
/** Lines that wait for whoever reads. Pods wait for them to be taken. */
const MAX_WAITING = 1000;
/** Of all pods; further ones have their turn when others have ended. */
const PODS_AT_ONCE = 16;
/** After the end of the set, for the last lines of its pods. */
const LAST_LINES_MS = 3000;

/** What the phases of a set and their pods say, from the beginning of each pod on, until the set has ended. */
export async function* followPhases(set: KubeObject, deps: PhaseLogDeps): AsyncGenerator<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([deps.signal, over.signal]);
  const log = new PhaseLog(set, { ...deps, signal });
  const work = log.run();
  try {
    yield* log.lines;
  } finally {
    over.abort(new Error('nobody reads the log any more'));
    await work;
  }
}

class PhaseLog {
  readonly #deps: PhaseLogDeps;
  readonly #uid: string;
  readonly #out = new PassThrough({ objectMode: true, highWaterMark: MAX_WAITING });
  #set: KubeObject;
  /** By action and phase: the last turn that was told. */
  readonly #told = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #waiting: KubeObject[] = [];
  readonly #followed = new Set<Promise<void>>();
  readonly #unheard = new UnheardLines();
  /** What had ended before anybody listened. */
  readonly #past: SetPhase[];
  /** Undefined until the set runs in this process. */
  #printed: Promise<void> | undefined;

  constructor(set: KubeObject, deps: PhaseLogDeps) {
    this.#set = set;
    this.#deps = deps;
    this.#uid = set.metadata.uid ?? '';
    this.#past = setPhases(set).filter(isOver);
    // One for each pod that waits until its lines are taken.
    this.#out.setMaxListeners(2 * PODS_AT_ONCE);
  }

  get lines(): AsyncIterable<string> {
    return this.#out;
  }

  /** Never throws: what goes wrong is told to whoever reads. */
  async run(): Promise<void> {
    const { signal, clock, isPrintedOnly } = this.#deps;
    const watching = new AbortController();
    const pods = this.#watch(AbortSignal.any([signal, watching.signal]));
    try {
      for (;;) {
        const now = this.#deps.current();
        if (now !== undefined && !isPrintedOnly) await this.#turns(now.set);
        this.#printed ??= this.#tellPrinted();
        await this.#tellUnheard();
        if (now === undefined || now.hasEnded) break;
        await clock.sleep(LOOK_MS, signal);
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(LAST_LINES_MS)]);
      await Promise.race([Promise.all([...this.#followed, this.#printed]), once(limit, 'abort')]);
      if (isPrintedOnly) return;
      await this.#tellUnheard();
      await this.#tell('info', 'the action set has ended: its pods are removed, and their logs with them');
    } catch (error) {
      if (!signal.aborted) this.#out.destroy(error as Error);
    } finally {
      watching.abort(new Error('the set has ended'));
      await pods;
      this.#out.end();
    }
  }

  async #turns(set: KubeObject): Promise<void> {
    this.#set = set;
    for (const phase of setPhases(set)) {
      const key = `${String(phase.ref.action)}/${String(phase.ref.phase)}`;
      const turn = turnOf(phase);
      if (turn === undefined || this.#told.get(key) === turn.message) continue;
      this.#told.set(key, turn.message);
      const at = Date.parse((isOver(phase) ? phase.endedAt : phase.beganAt) ?? '');
      await this.#tell(turn.level, turn.message, { phase }, Number.isNaN(at) ? undefined : at);
    }
  }

  /** Of phases that have ended. */
  async #tellUnheard(): Promise<void> {
    for (const phase of setPhases(this.#set).filter(isOver)) {
      const { lines, left } = this.#unheard.take(phase);
      for (const line of lines) await this.#put(line);
      if (left > 0) await this.#tell('warning', `${formatCount(left)} more lines of its pods are not shown`, { phase });
    }
  }

  /** Pods have logs of their own, which are followed; what was run inside of another pod is told by nobody else. */
  #tellPrinted(): Promise<void> | undefined {
    const ownLog = this.#deps.ownLog();
    return ownLog === undefined ? undefined : this.#tellCommands(ownLog);
  }

  async #tellCommands(ownLog: AsyncIterable<Uint8Array>): Promise<void> {
    const { kube, signal, isPrintedOnly } = this.#deps;
    const printed = new PrintedLines(kube);
    try {
      for await (const piece of ownLog)
        for await (const line of printed.read(piece)) {
          const { exec, phase: name = '', action = '' } = line.fields;
          // Pods of phases that were over are gone: nobody can follow them.
          const isPast = this.#past.some((phase) => phase.name === name && phase.action === action);
          if (exec !== undefined || (isPrintedOnly && isPast)) await this.#put(printedLine(line));
          else if (!isPrintedOnly) this.#unheard.add({ name, action }, printedLine(line));
        }
    } catch (error) {
      if (signal.aborted) return;
      const told = this.#tell('warning', `what commands print cannot be read: ${messageOf(error)}`);
      await told.catch(() => undefined);
    }
  }

  /** In all namespaces; whoever may not look there, in those that the set names. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { kube, clock, isPrintedOnly } = this.#deps;
    if (isPrintedOnly) return;
    const see = (pod: KubeObject): void => {
      this.#see(pod);
    };
    const watch = async (namespace?: string): Promise<void> => {
      const place = namespace === undefined ? {} : { namespace };
      await watchPods({ uid: this.#uid, ...place }, see, { kube, clock, signal });
    };
    const told = async (namespace: string, error: unknown): Promise<void> => {
      if (signal.aborted) return;
      await this.#tell('warning', `pods in namespace ${namespace} cannot be watched: ${messageOf(error)}`);
    };
    try {
      await watch();
    } catch (error) {
      if (!isAppError(error, 'forbidden')) {
        await told('any', error).catch(() => undefined);
        return;
      }
      const each = namespacesOf(this.#set).map((namespace) =>
        watch(namespace).catch((failure: unknown) => told(namespace, failure)),
      );
      await Promise.allSettled(each);
    }
  }

  /** The log of one that has not started cannot be read yet; it is seen again when it has. */
  #see(pod: KubeObject): void {
    const key = pod.metadata.uid ?? '';
    if (this.#seen.has(key) || textAt(pod, 'status', 'phase') === 'Pending') return;
    this.#seen.add(key);
    this.#waiting.push(pod);
    this.#next();
  }

  #next(): void {
    const pod = this.#followed.size < PODS_AT_ONCE ? this.#waiting.shift() : undefined;
    if (pod === undefined) return;
    const following = this.#follow(pod).finally(() => {
      this.#followed.delete(following);
      this.#next();
    });
    this.#followed.add(following);
  }

  async #follow(pod: KubeObject): Promise<void> {
    const { kube, signal } = this.#deps;
    const { namespace = '', name } = pod.metadata;
    const phase = phaseOfPod(name, this.#uid, setPhases(this.#set)) ?? this.#onlyRunning();
    const fields = { phase, pod: `${namespace}/${name}` };
    if (phase !== undefined && !this.#unheard.listen(phase)) return;
    try {
      for await (const { line, time = '' } of kube.logs(targetOf(pod), { follow: true, signal })) {
        if (phase !== undefined) this.#unheard.heard(phase);
        const at = Date.parse(time);
        await this.#tell('info', line, fields, Number.isNaN(at) ? undefined : at);
      }
    } catch (error) {
      if (signal.aborted || isAppError(error, 'notFound', 'gone')) return;
      const told = this.#tell('warning', `its log cannot be read: ${messageOf(error)}`, fields);
      await told.catch(() => undefined);
    } finally {
      if (phase !== undefined) this.#unheard.stopListening(phase);
    }
  }

  /** Kanister's pods do not tell which phase they are of, but where only one runs they are of that one. */
  #onlyRunning(): SetPhase | undefined {
    const running = setPhases(this.#set).filter(({ state }) => state === 'running');
    return running.length === 1 ? running[0] : undefined;
  }

  async #tell(level: Level, text: string, fields: LineFields = {}, at = this.#deps.clock.now()): Promise<void> {
    await this.#put(setLine(at, level, text, fields));
  }

  async #put(line: string): Promise<void> {
    if (this.#out.writableEnded || this.#out.destroyed) return;
    if (this.#out.write(line)) return;
    await once(this.#out, 'drain', { signal: this.#deps.signal });
  }
}

function isOver({ state }: SetPhase): boolean {
  return !['pending', 'running'].includes(state);
}

/** Its own and those of its objects. */
function namespacesOf(set: KubeObject): string[] {
  const objects = objectsAt(set, 'spec', 'actions').flatMap((action) => textAt(action, 'object', 'namespace') ?? []);
  return [...new Set([set.metadata.namespace ?? '', ...objects])].filter((name) => name !== '').slice(0, PODS_AT_ONCE);
}

function targetOf({ metadata, ...pod }: KubeObject): PodTarget {
  const container = textAt(objectsAt(pod['spec'], 'containers')[0], 'name');
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    ...(container === undefined ? {} : { container }),
  };
}
