import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { LiveState } from '../live/live-store.ts';
import type { LocationsAnswer, Operation, SchedulesAnswer } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useHref, usePlace } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import { useLive, useNow, useOperations } from '../live/use-live.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { Waiting } from '../show/notice.tsx';
import { useClusterOf } from '../show/operation-name.tsx';
import { Page } from '../show/page.tsx';
import { Panel } from '../show/panel.tsx';
import { Sign } from '../show/sign.tsx';
import { concernsOf, type Concern } from './attention.ts';
import { FirstSteps } from './first-steps.tsx';
import { NextSchedules, LocationHealth } from './side-panels.tsx';
import { RecentRow } from './recent-row.tsx';
import { RunningRow } from './running-row.tsx';
import styles from './overview.module.css';

const MAX_RUNNING = 20;
const MAX_RECENT = 10;
const MAX_PARTS = 3;
const hasSnapshot = (state: LiveState): boolean => state.hasSnapshot;
const unseenOf = (state: LiveState): LiveState['unseen'] => state.unseen;

/** Is it still moving, how long yet, is anything wrong, what to do about it: in this order. */
export function OverviewPage(): ReactElement {
  const { cluster } = usePlace().query;
  const { session } = useSession();
  const all = useOperations(cluster);
  // What is part of another one stands below it.
  const operations = all.filter(({ parent }) => parent === undefined);
  const clusterOf = useClusterOf();
  const isReady = useLive(hasSnapshot);
  const schedules = useAnswer<SchedulesAnswer>('schedules', (client, signal) =>
    client.get('api/schedules', {}, signal),
  );
  const locations = useAnswer<LocationsAnswer>('locations', (client, signal) =>
    client.get('api/locations', {}, signal),
  );
  useRefresh(schedules.again, 15_000);
  useRefresh(locations.again, 15_000);
  const running = operations.filter(({ report }) => !isTerminal(report.state)).sort(stalledFirst);
  const recent = operations
    .filter(({ report }) => isTerminal(report.state))
    .sort(lastEndedFirst)
    .slice(0, MAX_RECENT);
  const isHere = (row: { cluster: string }): boolean => cluster === undefined || row.cluster === cluster;
  const now = useNow(10_000);
  const concerns = concernsOf({
    now,
    running: all.filter(({ report }) => !isTerminal(report.state)),
    clusterOf,
    locations: locations.answer?.locations.filter(isHere) ?? [],
    schedules: schedules.answer?.schedules.filter(isHere) ?? [],
    unseen: useLive(unseenOf),
    clusters: session.clusters.filter(({ name }) => cluster === undefined || name === cluster),
  });
  if (!isReady) return <Waiting>Loading operations…</Waiting>;
  return (
    <Page title="Overview">
      {concerns.length > 0 && <Attention concerns={concerns} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          {operations.length === 0 ? <FirstSteps /> : <Running running={running} all={all} />}
          {recent.length > 0 && <Recent recent={recent} count={operations.length} />}
        </div>
        <div className={styles.column}>
          <NextSchedules asked={schedules} isHere={isHere} />
          <LocationHealth asked={locations} isHere={isHere} />
        </div>
      </div>
    </Page>
  );
}

function Attention({ concerns }: { concerns: readonly Concern[] }): ReactElement {
  const href = useHref();
  return (
    <Panel title="Needs attention" tone="warn">
      <ul>
        {concerns.slice(0, 10).map((concern) => (
          <li key={concern.key} className={styles.concern}>
            <Sign kind="warn" />
            <a href={href(concern.path)}>{concern.title}</a>
            <span className={styles.short} title={concern.text}>
              {concern.text}
            </span>
          </li>
        ))}
      </ul>
      {concerns.length > 10 && <p className={styles.more}>and {concerns.length - 10} more</p>}
    </Panel>
  );
}

function Running({ running, all }: { running: readonly Operation[]; all: readonly Operation[] }): ReactElement {
  const href = useHref();
  const partsOf = ({ id }: Operation): Operation[] =>
    all.filter(({ parent, report }) => parent === id && report.state === 'running').slice(0, MAX_PARTS);
  const more = running.length - MAX_RUNNING;
  return (
    <Panel title="Running now" side={running.length > 0 && <span className={styles.dim}>{running.length}</span>}>
      {running.length === 0 && <p className={styles.none}>Nothing is running.</p>}
      <ul>
        {running.slice(0, MAX_RUNNING).map((operation) => (
          <RunningRow key={operation.id} operation={operation} parts={partsOf(operation)} />
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.more}>
          <a href={href(['operations'], { state: 'running' })}>and {more} more</a>
        </p>
      )}
    </Panel>
  );
}

function Recent({ recent, count }: { recent: readonly Operation[]; count: number }): ReactElement {
  const href = useHref();
  return (
    <Panel title="Recent" side={<a href={href(['operations'])}>All operations ({formatCount(count)})</a>}>
      <ul>
        {recent.map((operation) => (
          <RecentRow key={operation.id} operation={operation} />
        ))}
      </ul>
    </Panel>
  );
}

/** What was begun long ago and has failed just now is news. */
function lastEndedFirst(a: Operation, b: Operation): number {
  const time = ({ endedAt, createdAt }: Operation): string => endedAt ?? createdAt;
  return time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0;
}

/** Then what runs before what waits; the order must not change with every percent. */
function stalledFirst(a: Operation, b: Operation): number {
  const rank = ({ report }: Operation): number => (report.stalled ? 0 : report.state === 'running' ? 1 : 2);
  return rank(a) - rank(b);
}
