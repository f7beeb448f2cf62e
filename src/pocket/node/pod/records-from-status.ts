import { numberAt, scalarTextAt } from '../../apiserver/object/index.ts';
import type { Json } from '../../../base/index.ts';
import { valueAt } from '../../../base/index.ts';
import type { ContainerStatus, Pod } from '../../controllers/kinds/index.ts';
import { timeOf } from '../../controllers/timestamp.ts';
import { allContainers, newRecord, type ContainerRecord, type ContainerState, type Ended } from './container-record.ts';

/** How a container ended that ran when the cluster was stopped: nobody was there to see it. */
export const UNSEEN = {
  exitCode: 255,
  reason: 'Unknown',
  message: 'the pocket cluster was stopped while it ran',
};

/** What is known of the containers of a pod when the cluster starts again: what its status says, but no process. */
export function recordsFromStatus(pod: Pod, now: number): Map<string, ContainerRecord> {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return new Map(
    allContainers(pod).map(({ name }) => {
      const status = statuses.find((one) => one.name === name);
      return [name, status === undefined ? newRecord(name) : recordOf(status, now)];
    }),
  );
}

function recordOf(status: ContainerStatus, now: number): ContainerRecord {
  const last = endedOf(valueAt(status.lastState, 'terminated'));
  return {
    ...newRecord(status.name),
    state: stateOf(status, now),
    restarts: status.restartCount ?? 0,
    ...(last === undefined ? {} : { last }),
  };
}

function stateOf({ state, containerID = '' }: ContainerStatus, now: number): ContainerState {
  const ended = endedOf(state['terminated']);
  if (ended !== undefined) return { kind: 'ended', ...ended };
  const startedAt = timeOf(scalarTextAt(state['running'], 'startedAt'));
  if (Number.isNaN(startedAt)) return { kind: 'waiting' };
  return { kind: 'ended', ...UNSEEN, startedAt, finishedAt: now, id: containerID };
}

function endedOf(state: Json | undefined): Ended | undefined {
  const finishedAt = timeOf(scalarTextAt(state, 'finishedAt'));
  if (Number.isNaN(finishedAt)) return undefined;
  const message = scalarTextAt(state, 'message');
  return {
    exitCode: numberAt(state, 'exitCode'),
    reason: scalarTextAt(state, 'reason'),
    ...(message === '' ? {} : { message }),
    startedAt: timeOf(scalarTextAt(state, 'startedAt')),
    finishedAt,
    id: scalarTextAt(state, 'containerID'),
  };
}
