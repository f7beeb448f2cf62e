import { formatDuration } from '../../../src/base/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { NOUNS } from '../../../src/core/operations/words.ts';
import { groupOf } from '../groups/group-notes.ts';
import { stalledSeconds } from '../show/progress-text.ts';
import type { LocationRow, Operation, ScheduleRow, SessionCluster } from '../../../src/core/operations/index.ts';

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
  /** Names a cluster where several are shown. */
  clusterOf: (cluster: string) => string | undefined;
  /** By name, since when. */
  unseen: ReadonlyMap<string, number>;
  now: number;
}

/** What waits for a person now; failures of the past stand among the recent ones. */
export function concernsOf({ running, locations, schedules, clusters, clusterOf, unseen, now }: Seen): Concern[] {
  // Equal names of several clusters must not look like one.
  const here = (row: { cluster: string }, title: string): string =>
    [title, clusterOf(row.cluster)].filter((part) => part !== undefined).join(' in ');
  return [
    ...clusters.flatMap(({ name }) => clusterConcern(name, unseen.get(name), now)),
    ...clusters.flatMap(engineConcerns),
    ...running.flatMap((operation) => stallConcern(operation, here(operation, operationTitle(operation)), now)),
    ...locations
      .filter(({ phase }) => phase === 'Unavailable')
      .map((row) => locationConcern(row, here(row, `location/${row.name}`))),
    ...schedules
      .filter(({ problems }) => problems.length > 0)
      .map((row) => scheduleConcern(row, here(row, `schedule/${row.name}`))),
  ];
}

/** An engine that was chosen and cannot work: whatever is created for it waits. */
function engineConcerns({ name, groups = [] }: SessionCluster): Concern[] {
  return groups.flatMap((group) => {
    const [noun] = NOUNS.filter((each) => groupOf(each) === group.name);
    // Where nothing of the group is installed, nobody waits for it.
    if (group.engine.state !== 'off' || !group.isSeen || noun === undefined) return [];
    const text = `Headway runs no ${noun}s there: ${group.engine.reason ?? 'it is not known why'}`;
    return [{ key: `engine ${name} ${group.name}`, title: `cluster/${name}`, text, path: [`${noun}s`] }];
  });
}

function clusterConcern(name: string, since: number | undefined, now: number): Concern[] {
  if (since === undefined) return [];
  const old = formatDuration(Math.max(1, (now - since) / 1000));
  const text = `is not responding; what you see of it is ${old} old`;
  return [{ key: `cluster ${name}`, title: `cluster/${name}`, text, path: [] }];
}

function stallConcern(operation: Operation, title: string, now: number): Concern[] {
  const { stalled } = operation.report;
  if (stalled === undefined) return [];
  const text = `stalled ${formatDuration(stalledSeconds(operation.report, now))} · ${stalled.cause}`;
  return [{ key: operation.id, title, text, path: ['operations', operation.id] }];
}

function locationConcern({ cluster, name, message }: LocationRow, title: string): Concern {
  const text = message ?? 'cannot be reached';
  return { key: `location ${cluster} ${name}`, title, text, path: ['locations'] };
}

function scheduleConcern({ cluster, name, problems }: ScheduleRow, title: string): Concern {
  return { key: `schedule ${cluster} ${name}`, title, text: problems.join('; '), path: ['schedules'] };
}
