import { formatDuration } from '../../../src/base/index.ts';
import { stalledSeconds } from '../show/progress-text.ts';
import type { LocationRow, Operation, ScheduleRow, SessionCluster } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../show/operation-name.tsx';

/** One thing that somebody should look at. */
export interface Concern {
  key: string;
  title: string;
  text: string;
  path: string[];
}

export interface Seen {
  running: readonly Operation[];
  locations: readonly LocationRow[];
  schedules: readonly ScheduleRow[];
  clusters: readonly SessionCluster[];
  /** By name, since when. */
  unseen: ReadonlyMap<string, number>;
  now: number;
}

/** What waits for a person now; failures of the past stand among the recent ones. */
export function concernsOf({ running, locations, schedules, clusters, unseen, now }: Seen): Concern[] {
  return [
    ...clusters.flatMap(({ name }) => clusterConcern(name, unseen.get(name), now)),
    ...running.flatMap((operation) => stallConcern(operation, now)),
    ...locations.filter(({ phase }) => phase === 'Unavailable').map(locationConcern),
    ...schedules.filter(({ problems }) => problems.length > 0).map(scheduleConcern),
  ];
}

function clusterConcern(name: string, since: number | undefined, now: number): Concern[] {
  if (since === undefined) return [];
  const old = formatDuration(Math.max(1, (now - since) / 1000));
  const text = `is not responding; what you see of it is ${old} old`;
  return [{ key: `cluster ${name}`, title: `cluster/${name}`, text, path: [] }];
}

function stallConcern(operation: Operation, now: number): Concern[] {
  const { stalled } = operation.report;
  if (stalled === undefined) return [];
  const text = `stalled ${formatDuration(stalledSeconds(operation.report, now))} · ${stalled.cause}`;
  return [{ key: operation.id, title: operationTitle(operation), text, path: ['operations', operation.id] }];
}

function locationConcern({ cluster, name, message }: LocationRow): Concern {
  const text = message ?? 'cannot be reached';
  return { key: `location ${cluster} ${name}`, title: `location/${name}`, text, path: ['locations'] };
}

function scheduleConcern({ cluster, name, problems }: ScheduleRow): Concern {
  return {
    key: `schedule ${cluster} ${name}`,
    title: `schedule/${name}`,
    text: problems.join('; '),
    path: ['schedules'],
  };
}
