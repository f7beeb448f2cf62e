import { setImmediate as turn } from 'node:timers/promises';
import { isAppError, isEqual, messageOf } from '../../../base/index.ts';
import { PODS, type Container, type Pod } from '../../controllers/kinds/index.ts';
import { isFinished, isGoing } from '../../controllers/pod-state.ts';
import { timeOf } from '../../controllers/timestamp.ts';
import { bytesBelow } from '../disk/index.ts';
import { PodPaths, type WorkerDeps } from '../container/index.ts';
import { isOver, planPod, podStatus, recordsFromStatus, allContainers, type PodPlan } from '../pod/index.ts';
import { removeTree } from '../root/index.ts';
import { Alarm } from './alarm.ts';
import { PodContainers } from './pod-containers.ts';
import { PodVolumes } from './pod-volumes.ts';
import { whyHeadwayPodCannotRun } from './runnable.ts';

const EVICTED = 'Evicted';
const MAX_WRITES = 10;
const RETRY_MS = 1000;
/** After a pod was deleted by force nobody waits for it any more. */
const FORCED_GRACE_MS = 1000;

/** Takes one pod through its life: asks what comes next, does it, and says how far it is. */
export class PodWorker {
  readonly containers: PodContainers;
  readonly paths: PodPaths;
  readonly #deps: WorkerDeps;
  readonly #volumes: PodVolumes;
  readonly #alarm: Alarm;
  readonly #gone = Promise.withResolvers<undefined>();
  #pod: Pod;
  #failure: { reason: string; message: string } | undefined;
  #isVanished = false;
  #isClosed = false;
  #isDirty = false;
  #isCleared = false;
  #working: Promise<void> | undefined;
  #removing: Promise<void> | undefined;

  constructor(pod: Pod, deps: WorkerDeps) {
    const { uid = '' } = pod.metadata;
    this.#pod = pod;
    this.#deps = deps;
    this.#alarm = new Alarm(deps.clock, () => {
      this.#kick();
    });
    this.paths = new PodPaths(deps.podsDir, uid);
    this.#volumes = new PodVolumes(deps, this.paths);
    this.containers = new PodContainers({
      deps,
      pod: () => this.#pod,
      records: recordsFromStatus(pod, deps.clock.now()),
      paths: this.paths,
      volumes: () => this.#volumes.sources,
      onChange: () => {
        this.#kick();
      },
    });
    this.#kick();
  }

  get pod(): Pod {
    return this.#pod;
  }

  update(pod: Pod): void {
    const before = this.#pod;
    this.#pod = pod;
    const isSame = isEqual(before.metadata.labels ?? {}, pod.metadata.labels ?? {});
    if (!isSame || !isEqual(before.metadata.annotations ?? {}, pod.metadata.annotations ?? {})) this.refresh();
    else this.#kick();
  }

  /** An object has changed that the pod refers to. */
  refresh(): void {
    this.#volumes.outdate();
    this.containers.tryAgain();
    this.#kick();
  }

  /** What it has on the disk; nothing that counts where it is on its way out already. */
  async bytes(): Promise<number> {
    if (this.#isVanished || this.#failure !== undefined || isFinished(this.#pod)) return 0;
    let bytes = await bytesBelow(this.paths.dir);
    for (const path of this.#volumes.claims) bytes += await bytesBelow(path);
    return bytes;
  }

  /** Ends the pod as a whole, at once, and resolves when nothing of it runs any more and its own files are gone. */
  async evict(message: string): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#failure = { reason: EVICTED, message };
    this.containers.stopAll(0);
    await this.containers.quiet();
    await this.#removeFiles();
    // Now there may be room to write that down.
    this.#fail(this.#pod, EVICTED, message, 'Warning');
    this.#kick();
  }

  /** The object is gone; so shall be all else. Resolves when it is. */
  async vanish(): Promise<void> {
    this.#isVanished = true;
    this.#kick();
    await this.#gone.promise;
  }

  /** The cluster stops: every process ends, and the status stays as it was. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    this.#alarm.clear();
    await this.containers.close(graceMs);
    while (this.#working !== undefined) await this.#working;
    await removeTree(this.paths.containers);
  }

  #kick(): void {
    this.#isDirty = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#isDirty && !this.#isClosed && !this.#isCleared) this.#kick();
    });
  }

  async #work(): Promise<void> {
    // A commit tells its listeners one after the other; nothing is done before all have heard.
    await turn();
    while (this.#isDirty && !this.#isClosed && !this.#isCleared) {
      this.#isDirty = false;
      try {
        await this.#look();
      } catch (error) {
        const { namespace, name } = this.#pod.metadata;
        this.#deps.log.warn('working on a pod failed', { namespace, name, err: messageOf(error) });
        this.#alarm.setIn(RETRY_MS);
        return;
      }
    }
  }

  async #look(): Promise<void> {
    if (this.#isVanished) {
      // Also what was just being started.
      this.containers.stopAll(FORCED_GRACE_MS);
      if (this.containers.isQuiet) await this.#clear();
      return;
    }
    const isStill = isFinished(this.#pod) && this.containers.isQuiet;
    if (!isStill) await this.#live();
    // What ended while the status was written is not in it: the next look tells of it, and lets go.
    if (isGoing(this.#pod) && this.containers.isQuiet && !this.#isDirty) await this.#letGo();
  }

  async #live(): Promise<void> {
    const pod = this.#pod;
    this.#judge(pod);
    const isEnding = isGoing(pod) || this.#failure !== undefined;
    const isPrepared = isEnding || (await this.#volumes.prepare(pod, this.containers.podIP(pod)));
    if (!isPrepared) this.#alarm.setIn(this.#volumes.retryMs);
    const { records } = this.containers;
    const now = this.#deps.clock.now();
    if (isPrepared) this.#act(planPod(pod, { records, now, isEnding }), pod);
    await this.#writeStatus(isEnding);
  }

  /** Whether the pod as a whole has failed. */
  #judge(pod: Pod): void {
    if (this.#failure !== undefined || isGoing(pod)) return;
    const refusal = whyHeadwayPodCannotRun(pod, this.#deps);
    if (refusal !== undefined) this.#fail(pod, 'CannotRun', refusal, 'Warning');
    const { activeDeadlineSeconds } = pod.spec;
    const startedAt = timeOf(pod.status?.startTime);
    if (activeDeadlineSeconds === undefined || Number.isNaN(startedAt)) return;
    const left = startedAt + activeDeadlineSeconds * 1000 - this.#deps.clock.now();
    if (left > 0) this.#alarm.setIn(left);
    else this.#fail(pod, 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline', 'Normal');
  }

  #fail(pod: Pod, reason: string, message: string, type: 'Normal' | 'Warning'): void {
    this.#failure = { reason, message };
    this.#deps.events.record(pod, { type, reason, message });
  }

  #act(plan: PodPlan, pod: Pod): void {
    for (const name of plan.start) this.containers.start(containerOf(pod, name));
    for (const name of plan.waiting) this.containers.backOff(containerOf(pod, name));
    for (const name of plan.stop) this.containers.stop(name, this.#graceMs(pod));
    if (plan.lookAt !== undefined) this.#alarm.setIn(plan.lookAt - this.#deps.clock.now());
  }

  #graceMs({ metadata, spec }: Pod): number {
    if (this.#failure?.reason === EVICTED) return 0;
    const wanted = spec.terminationGracePeriodSeconds ?? 30;
    const seconds = metadata.deletionTimestamp === undefined ? wanted : (metadata.deletionGracePeriodSeconds ?? wanted);
    return seconds * 1000;
  }

  async #writeStatus(isEnding: boolean): Promise<void> {
    const { client, clock } = this.#deps;
    const { namespace = '', name, uid } = this.#pod.metadata;
    for (let attempt = 0; attempt < MAX_WRITES && !this.#isClosed; attempt += 1) {
      const current = client.get(PODS, namespace, name);
      if (current?.metadata.uid !== uid || current === undefined) return;
      const { records } = this.containers;
      const isPrepared = this.#volumes.isPrepared;
      const status = podStatus(current, {
        records,
        now: clock.now(),
        podIP: isPrepared ? this.containers.podIP(current) : current.status?.podIP,
        isPrepared,
        isEnding,
        failure: this.#failure,
      });
      if (isEqual(status, current.status)) return;
      try {
        // First, because a disk that they filled takes no status. Otherwise nobody waits for files to learn of an end.
        if (this.#failure !== undefined) await this.#removeFiles();
        this.#take(await client.update(PODS, { ...current, status }, 'status'));
        if (this.#failure === undefined && isOver(current, records)) await this.#removeFiles();
        return;
      } catch (error) {
        // Somebody else was faster, or has deleted it.
        if (!isAppError(error, 'conflict', 'notFound')) throw error;
      }
    }
  }

  /** Unless it was changed, or deleted, before this answer came. */
  #take(written: Pod): void {
    const isNewer = Number(written.metadata.resourceVersion) > Number(this.#pod.metadata.resourceVersion);
    if (isNewer) this.#pod = written;
  }

  /** Of containers that have ended for good. Whoever asks while they are being removed waits for the same end of it. */
  async #removeFiles(): Promise<void> {
    if (!this.containers.isQuiet) return;
    this.#removing ??= this.#giveBack().finally(() => {
      this.#removing = undefined;
    });
    await this.#removing;
  }

  /** What they had of the disk. */
  async #giveBack(): Promise<void> {
    await removeTree(this.paths.containers);
    if (this.#failure?.reason === EVICTED) await removeTree(this.paths.volumes);
  }

  /** Everything has ended: whoever deleted the pod need not wait any longer. */
  async #letGo(): Promise<void> {
    const { namespace = '', name, uid = '', deletionGracePeriodSeconds } = this.#pod.metadata;
    if (deletionGracePeriodSeconds === 0 && (this.#pod.metadata.finalizers ?? []).length > 0) return;
    try {
      await this.#deps.client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!isAppError(error, 'notFound', 'conflict')) throw error;
    }
  }

  async #clear(): Promise<void> {
    this.#isCleared = true;
    this.#alarm.clear();
    this.#deps.hosts.letGo(this.paths.hosts);
    try {
      await removeTree(this.paths.dir);
    } finally {
      this.#gone.resolve(undefined);
    }
  }
}

function containerOf(pod: Pod, name: string): Container {
  const found = allContainers(pod).find((container) => container.name === name);
  if (found === undefined) throw new TypeError(`pod ${pod.metadata.name} has no container ${name}`);
  return found;
}
