import type { Container, Pod } from '../../controllers/kinds/index.ts';
import type { BackOff } from './back-off.ts';

/** How a life of a container ended. Times are milliseconds since 1970. */
export interface Ended {
  exitCode: number;
  reason: string;
  message?: string;
  startedAt: number;
  finishedAt: number;
  id: string;
}

export type ContainerState =
  /** Not yet, or not yet again. Without a reason it is the pod's: it is being created. */
  | { kind: 'waiting'; reason?: string; message?: string }
  | { kind: 'running'; startedAt: number; id: string }
  | ({ kind: 'ended' } & Ended);

/** What is known of one container of a pod. */
export interface ContainerRecord {
  readonly name: string;
  readonly state: ContainerState;
  /** The life before this one. */
  readonly last?: Ended;
  readonly restarts: number;
  /** Its startup probe, if it has one, was content. */
  readonly isStarted: boolean;
  readonly isReady: boolean;
  readonly backOff?: BackOff;
  /** It is not tried to start it before. */
  readonly notBefore?: number;
  /** Its process is a pretence; why it could not be run. */
  readonly simulated?: string;
}

export type Records = ReadonlyMap<string, ContainerRecord>;

export function newRecord(name: string): ContainerRecord {
  return { name, state: { kind: 'waiting' }, restarts: 0, isStarted: false, isReady: false };
}

/** Comes before the others and runs beside them. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** It has run, or runs. */
function hasBegun(record: ContainerRecord | undefined): boolean {
  return record !== undefined && (record.state.kind !== 'waiting' || record.last !== undefined);
}

/** What comes first has done its work once: some container of the pod itself has begun. */
export function wasUp({ spec }: Pod, records: Records): boolean {
  return spec.containers.some(({ name }) => hasBegun(records.get(name)));
}

export function allContainers({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** A name for one life of a container that no other has. */
export function containerId({ metadata }: Pod, name: string, restarts: number): string {
  return `pocket://${metadata.uid ?? ''}/${name}${restarts === 0 ? '' : `/${restarts}`}`;
}
