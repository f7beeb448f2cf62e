import type { Container, Pod } from '../../controllers/kinds/index.ts';
import { waitMs } from './back-off.ts';
import { isSidecar, newRecord, wasUp, type ContainerRecord, type Records } from './container-record.ts';

/** What is to be done with the containers of a pod now. */
export interface PodPlan {
  start: string[];
  /** In this order, each when the ones before have ended. */
  stop: string[];
  /** Those that ended and wait until they may begin again. */
  waiting: string[];
  /** When to look again, if nothing happens before. */
  lookAt?: number;
}

interface Situation {
  records: Records;
  now: number;
  /** Somebody wants the pod to end. */
  isEnding: boolean;
}

/** The next steps in the life of a pod. It is asked again whenever something has happened. */
export function planPod(pod: Pod, { records, now, isEnding }: Situation): PodPlan {
  const planner = new Planner(pod, records, now);
  if (isEnding) planner.stopAll();
  else if (planner.initialize()) planner.runContainers();
  else if (hasFailedBefore(pod, records)) planner.stopAll();
  return planner.plan;
}

/** Whether a container that ended is started again. */
export function isRestarted(pod: Pod, container: Container, exitCode: number): boolean {
  if (isSidecar(container)) return true;
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  const isBefore = (pod.spec.initContainers ?? []).includes(container);
  if (isBefore) return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** What comes first has failed for good, so that nothing else will ever begin. */
export function hasFailedBefore(pod: Pod, records: Records): boolean {
  return (pod.spec.initContainers ?? []).some((container) => {
    const state = records.get(container.name)?.state;
    const hasFailed = state?.kind === 'ended' && state.exitCode !== 0;
    return !isSidecar(container) && hasFailed && !isRestarted(pod, container, state.exitCode);
  });
}

/** Every container has ended for good; what runs beside them does not count. */
export function isOver(pod: Pod, records: Records): boolean {
  if (hasFailedBefore(pod, records)) return true;
  return pod.spec.containers.every((container) => {
    const state = records.get(container.name)?.state;
    return state?.kind === 'ended' && !isRestarted(pod, container, state.exitCode);
  });
}

class Planner {
  readonly plan: PodPlan = { start: [], stop: [], waiting: [] };
  readonly #pod: Pod;
  readonly #records: Records;
  readonly #now: number;

  constructor(pod: Pod, records: Records, now: number) {
    this.#pod = pod;
    this.#records = records;
    this.#now = now;
  }

  /** Goes through what comes first, one after the other. True when the containers themselves may run. */
  initialize(): boolean {
    const isUpAlready = wasUp(this.#pod, this.#records);
    for (const container of this.#pod.spec.initContainers ?? []) {
      const record = this.#record(container);
      const { state } = record;
      if (isSidecar(container)) {
        const isUp = state.kind === 'running' && record.isStarted;
        if (state.kind !== 'running') this.#begin(container, record);
        // Once the pod was up, one that is started again keeps nobody waiting.
        if (!isUp && !isUpAlready) return false;
        continue;
      }
      if (isUpAlready || (state.kind === 'ended' && state.exitCode === 0)) continue;
      if (state.kind !== 'running') this.#begin(container, record);
      return false;
    }
    return true;
  }

  runContainers(): void {
    for (const container of this.#pod.spec.containers) {
      const record = this.#record(container);
      if (record.state.kind !== 'running') this.#begin(container, record);
    }
    if (isOver(this.#pod, this.#records)) {
      this.plan.start = [];
      this.stopAll();
    }
  }

  /** The containers first, then what ran beside them, last come first gone. */
  stopAll(): void {
    const isRunning = ({ name }: Container): boolean => this.#records.get(name)?.state.kind === 'running';
    const main = this.#pod.spec.containers.filter(isRunning);
    const beside = (this.#pod.spec.initContainers ?? []).filter(isRunning).toReversed();
    this.plan.stop = (main.length > 0 ? main : beside.slice(0, 1)).map(({ name }) => name);
  }

  #record({ name }: Container): ContainerRecord {
    return this.#records.get(name) ?? newRecord(name);
  }

  #begin(container: Container, record: ContainerRecord): void {
    const { state, notBefore = 0, last, backOff } = record;
    const ended = state.kind === 'ended' ? state : last;
    if (state.kind === 'ended' && !isRestarted(this.#pod, container, state.exitCode)) return;
    const wait = ended === undefined ? 0 : waitMs(backOff, ended.finishedAt, this.#now);
    const at = Math.max(this.#now + wait, notBefore);
    if (at <= this.#now) {
      this.plan.start.push(container.name);
      return;
    }
    if (wait > 0) this.plan.waiting.push(container.name);
    this.plan.lookAt = Math.min(this.plan.lookAt ?? Infinity, at);
  }
}
