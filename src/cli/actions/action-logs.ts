import { AppError, isAppError, messageOf, objectsAt, textAt } from '../../base/index.ts';
import { POD } from '../../api/meta/builtin-types.ts';
import { CREATED_BY_KANISTER, worksFor } from '../../api/meta/pod-labels.ts';
import { phaseOfPod } from '../../core/action/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Kind } from '../objects/kinds.ts';
import { ACTION_SET } from '../objects/types.ts';
import { actionEvents } from './action-events.ts';
import { phasesOfSet, type SetPhase } from './action-phases.ts';
import { FollowedKind } from './follow.ts';
import { getNamed, type Scope } from './open-cluster.ts';
import { printServerLines } from './printed-lines.ts';
import type { ServerFlags } from '../flags/connection.ts';

export interface ActionLogsFlags extends ServerFlags {
  /** Only what belongs to this phase. */
  phase?: string;
  /** Until the set has ended; so it is unless somebody says otherwise. */
  follow?: boolean;
}

/** Nothing is asked of the cluster for it: pods and set are watched. A pod of a short phase lives a moment. */
const LOOK_MS = 50;
/** For the last lines of pods that are removed. */
const LAST_LINES_MS = 5_000;

const watched = (type: Kind['type']): Kind => ({
  ...{ noun: type.kind.toLowerCase(), type, scope: 'all' },
  ...{ consequence: '', needsHeadway: false },
});

/**
 * What the pods of a set and its commands in other pods print, each from its beginning, until the set has ended. Ends
 * with 1 if it failed.
 */
export async function printActionLogs(scope: Scope, name: string, flags: ActionLogsFlags): Promise<number> {
  const set = await getNamed(scope, ACTION_SET, name);
  checkPhase(set, flags.phase);
  if (hasEnded(set)) return await tellEnded(scope, set, flags);
  return await new ActionLog(scope, set, flags).print();
}

/** What is left of it: its last lines, where a server has kept them, and its events. */
async function tellEnded(scope: Scope, set: KubeObject, flags: ActionLogsFlags): Promise<number> {
  const { output, signal } = scope.deps;
  const { lines } = await printServerLines(scope, set, { flags, wants: (phase) => isMeant(flags, phase), signal });
  const left = lines === 0 ? 'Its events are left:' : 'Above are the last lines that the server has kept. Its events:';
  output.note(`It has ended: its pods are gone, and their logs with them. ${left}`);
  for (const line of await actionEvents(scope, set, flags.phase)) output.line(line);
  return exitCode(set);
}

/** The pods of one set, followed from when they are seen. */
class ActionLog {
  readonly #scope: Scope;
  readonly #flags: ActionLogsFlags;
  readonly #uid: string;
  #set: KubeObject;
  readonly #followed = new Map<string, Promise<void>>();
  /** The phases of which something was printed. */
  readonly #heard = new Set<string>();
  /** Those with a pod that was gone when its log was asked for. */
  readonly #missed = new Set<string>();
  #lines = 0;

  constructor(scope: Scope, set: KubeObject, flags: ActionLogsFlags) {
    this.#scope = scope;
    this.#set = set;
    this.#flags = flags;
    this.#uid = set.metadata.uid ?? '';
  }

  async print(): Promise<number> {
    const { deps, namespace } = this.#scope;
    const stop = new AbortController();
    const signal = AbortSignal.any([deps.signal, stop.signal]);
    const labelSelector = `createdBy=${CREATED_BY_KANISTER.createdBy}`;
    const pods = new FollowedKind(this.#scope, { kind: watched(POD), labelSelector, whenForbidden: 'throw' });
    const sets = new FollowedKind(this.#scope, { kind: watched(ACTION_SET), namespace, whenForbidden: 'throw' });
    const watching = [pods, sets].map((each) => each.run(signal));
    const printed = this.#printServerLines(new Set(), signal);
    // It has an end of its own, like the log of a pod.
    const commands = printed.then(({ lines }) => void (this.#lines += lines));
    this.#followed.set('commands', commands);
    try {
      // Whichever watch fails for good ends it.
      await Promise.race([this.#look(pods, sets, signal), Promise.all(watching)]);
      await this.#lastLines();
    } finally {
      stop.abort();
      await Promise.allSettled(watching);
    }
    const { problem } = await printed;
    await this.#missedLines(problem);
    if (this.#lines === 0) {
      const unheard = `What runs inside of your own pods (KubeExec) only the Headway server can show: ${problem ?? ''}`;
      deps.output.note(`No pod has printed anything.${problem === undefined ? '' : ` ${unheard}`}`);
    }
    return hasEnded(this.#set) ? exitCode(this.#set) : 0;
  }

  async #look(pods: FollowedKind, sets: FollowedKind, signal: AbortSignal): Promise<void> {
    const { clock } = this.#scope.deps;
    while (!(pods.isKnown && sets.isKnown)) await clock.sleep(LOOK_MS, signal);
    for (;;) {
      for (const pod of pods.objects) if (worksFor(pod, this.#uid)) this.#see(pod, signal);
      const now = [...sets.objects].find(({ metadata }) => metadata.uid === this.#uid);
      if (now === undefined) return;
      if (now !== this.#set) checkPhase(now, this.#flags.phase);
      this.#set = now;
      if (hasEnded(now) || this.#flags.follow === false) return;
      await clock.sleep(LOOK_MS, signal);
    }
  }

  async #lastLines(): Promise<void> {
    const { clock, signal } = this.#scope.deps;
    const over = new AbortController();
    const limit = AbortSignal.any([signal, over.signal]);
    // Aborted when all lines are there, which is the usual end of it.
    const late = clock.sleep(LAST_LINES_MS, limit).catch(() => undefined);
    await Promise.race([Promise.all(this.#followed.values()), late]);
    over.abort();
    signal.throwIfAborted();
  }

  /** The pod of a short phase may be gone before its log is opened; a server that ran it has read it. */
  async #missedLines(problem: string | undefined): Promise<void> {
    const { signal, output } = this.#scope.deps;
    if (!hasEnded(this.#set)) return;
    const isComplete = phasesOfSet(this.#set).every(({ name }) => this.#heard.has(name));
    const why = problem ?? (isComplete ? undefined : await this.#askForMissed(signal));
    if (why === undefined) return;
    for (const phase of this.#missed.difference(this.#heard)) {
      output.note(`${phase}: its pod was gone before its log could be read, and the server cannot be asked: ${why}`);
    }
  }

  /** Returns why it could not. */
  async #askForMissed(signal: AbortSignal): Promise<string | undefined> {
    const { lines, problem } = await this.#printServerLines(new Set(this.#heard), signal);
    this.#lines += lines;
    return problem;
  }

  #printServerLines(but: ReadonlySet<string>, signal: AbortSignal): ReturnType<typeof printServerLines> {
    const wants = (phase: string): boolean => {
      const isWanted = isMeant(this.#flags, phase) && !but.has(phase);
      if (isWanted) this.#heard.add(phase);
      return isWanted;
    };
    return printServerLines(this.#scope, this.#set, { flags: this.#flags, wants, signal });
  }

  #see(pod: KubeObject, signal: AbortSignal): void {
    const key = pod.metadata.uid ?? '';
    if (this.#followed.has(key) || textAt(pod, 'status', 'phase') === 'Pending') return;
    const phase = phaseOfPod(pod.metadata.name, this.#uid, phasesOfSet(this.#set));
    // Its phase is in the status before its pod is made; one that is in none belongs to several.
    const isFollowed = phase === undefined || isMeant(this.#flags, phase.name);
    this.#followed.set(key, isFollowed ? this.#follow(pod, phase, signal) : Promise.resolve());
  }

  async #follow({ metadata, ...pod }: KubeObject, phase: SetPhase | undefined, signal: AbortSignal): Promise<void> {
    const { kube, deps } = this.#scope;
    const { namespace = '', name } = metadata;
    const container = textAt(objectsAt(pod['spec'], 'containers')[0], 'name');
    const target = { namespace, name, ...(container === undefined ? {} : { container }) };
    const who = phase?.name ?? name;
    try {
      for await (const { line } of kube.logs(target, { follow: this.#flags.follow !== false, signal })) {
        this.#lines += 1;
        this.#heard.add(who);
        deps.output.line(`${who}: ${line}`);
      }
    } catch (error) {
      // Told to end, or removed with the pod.
      if (isAppError(error, 'notFound', 'gone')) this.#missed.add(who);
      if (signal.aborted || isAppError(error, 'notFound', 'gone')) return;
      deps.output.note(`${who}: ${messageOf(error)}`);
    }
  }
}

function isMeant(flags: ActionLogsFlags, phase: string): boolean {
  return (flags.phase ?? phase) === phase;
}

/** Known only once the set has begun. */
function checkPhase(set: KubeObject, phase: string | undefined): void {
  const names = phasesOfSet(set).map((each) => each.name);
  if (phase === undefined || names.length === 0 || names.includes(phase)) return;
  const { name } = set.metadata;
  throw new AppError('usage', `--phase: action set "${name}" has no phase "${phase}"; it has ${names.join(', ')}`);
}

function hasEnded(set: KubeObject): boolean {
  return ['complete', 'failed'].includes(textAt(set, 'status', 'state') ?? '');
}

function exitCode(set: KubeObject): number {
  return textAt(set, 'status', 'state') === 'failed' ? 1 : 0;
}
