import type { Pod } from '../../controllers/kinds/index.ts';
import { controllerOf } from '../../controllers/owner-index.ts';
import { allContainers, containerId, newRecord, UNSEEN, type ContainerRecord, type Records } from '../pod/index.ts';

/** A container that looks as if it ran. */
export function simulatedRecord(pod: Pod, before: ContainerRecord, reason: string, now: number): ContainerRecord {
  const { name, restarts } = before;
  return {
    ...newRecord(name),
    state: { kind: 'running', startedAt: now, id: containerId(pod, name, restarts) },
    restarts,
    isStarted: true,
    isReady: true,
    simulated: reason,
  };
}

/** The same after it was asked to end, or when it had all done. */
export function endedRecord(record: ContainerRecord, now: number): ContainerRecord {
  if (record.state.kind !== 'running') return record;
  const { startedAt, id } = record.state;
  return {
    ...record,
    state: { kind: 'ended', exitCode: 0, reason: 'Completed', startedAt, finishedAt: now, id },
    isReady: false,
    isStarted: false,
  };
}

/** What is done once counts as done as soon as it began: nothing runs that could end. */
export function isDoneAtOnce(pod: Pod, isFirst: boolean): boolean {
  return isFirst || (controllerOf(pod)?.kind === 'Job' && pod.spec.restartPolicy !== 'Always');
}

/** What never had a process has not lost it when the cluster was stopped: these go on as they were. */
export function adopted(pod: Pod, records: Records, whyNot: (name: string) => string | undefined): ContainerRecord[] {
  return allContainers(pod).flatMap(({ name }) => {
    const record = records.get(name);
    const reason = whyNot(name);
    if (record?.state.kind !== 'ended' || record.state.reason !== UNSEEN.reason || reason === undefined) return [];
    const { startedAt, id } = record.state;
    return [
      {
        ...record,
        state: { kind: 'running', startedAt, id },
        isStarted: true,
        isReady: true,
        simulated: reason,
      } as const,
    ];
  });
}
