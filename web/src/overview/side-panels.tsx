import type { ReactElement } from 'react';
import { formatBytes } from '../../../src/base/index.ts';
import type { LocationsAnswer, SchedulesAnswer } from '../../../src/core/operations/index.ts';
import { useHref } from '../frame/place.ts';
import type { Asked } from '../server/use-answer.ts';
import { ErrorNotice, Waiting } from '../show/notice.tsx';
import { useClusterOf } from '../show/operation-name.tsx';
import { Panel } from '../show/panel.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign, type SignKind } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import styles from './overview.module.css';

interface SideProps<T> {
  asked: Asked<T>;
  isHere: (row: { cluster: string }) => boolean;
}

export function NextSchedules({ asked, isHere }: SideProps<SchedulesAnswer>): ReactElement {
  const href = useHref();
  const clusterOf = useClusterOf();
  const rows = asked.answer?.schedules.filter(isHere) ?? [];
  const next = rows.toSorted((a, b) => ((a.nextBackupAt ?? '~') < (b.nextBackupAt ?? '~') ? -1 : 1));
  return (
    <Panel title="Next" side={<a href={href(['schedules'])}>Schedules</a>}>
      <State asked={asked} waiting="Loading schedules…" />
      {asked.answer && rows.length === 0 && <p className={styles.none}>No schedules yet.</p>}
      <ul>
        {next.slice(0, 5).map((row) => (
          <li key={`${row.cluster}/${row.namespace}/${row.name}`} className={styles.side}>
            <span>
              <a href={href(['schedules'])}>{row.name}</a>{' '}
              <small className={styles.dim}>{clusterOf(row.cluster)}</small>
            </span>
            <span>
              {row.isPaused && 'paused'}
              {!row.isPaused && row.nextBackupAt === undefined && (row.problems[0] ?? 'not known')}
              {!row.isPaused && row.nextBackupAt && (
                <>
                  <When time={row.nextBackupAt} as="clock" /> (<When time={row.nextBackupAt} />)
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export const LOCATION_SIGNS: Readonly<Record<'Available' | 'Unavailable' | 'Unknown', SignKind>> = {
  Available: 'ok',
  Unavailable: 'warn',
  Unknown: 'idle',
};

export function LocationHealth({ asked, isHere }: SideProps<LocationsAnswer>): ReactElement {
  const href = useHref();
  const clusterOf = useClusterOf();
  const rows = asked.answer?.locations.filter(isHere) ?? [];
  return (
    <Panel title="Locations" side={<a href={href(['locations'])}>All</a>}>
      <State asked={asked} waiting="Loading locations…" />
      {asked.answer && rows.length === 0 && <p className={styles.none}>No location to store backups in yet.</p>}
      <ul>
        {rows.slice(0, 5).map((row) => (
          <li key={`${row.cluster}/${row.namespace}/${row.name}`} className={styles.side}>
            <span>
              <Sign kind={LOCATION_SIGNS[row.phase]} /> <a href={href(['locations'])}>{row.name}</a>{' '}
              <small className={styles.dim}>{clusterOf(row.cluster)}</small>
            </span>
            <span className={styles.short}>
              {row.phase === 'Available'
                ? `${formatBytes(row.bytes)}, ${plural(row.backups, 'backup')}`
                : (row.message ?? row.phase.toLowerCase())}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function State({ asked, waiting }: { asked: Asked<unknown>; waiting: string }): ReactElement | null {
  if (asked.error) return <ErrorNotice error={asked.error} again={asked.again} />;
  return asked.answer === undefined ? <Waiting>{waiting}</Waiting> : null;
}
