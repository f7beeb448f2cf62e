import type { ReactElement, ReactNode } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { LocationRow, LocationsAnswer } from '../../../src/core/operations/index.ts';
import { usePlace } from '../frame/place.ts';
import { LOCATION_SIGNS } from '../overview/side-panels.tsx';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import styles from './locations.module.css';

export function LocationsPage(): ReactElement {
  const { cluster } = usePlace().query;
  const { answer, error, again } = useAnswer<LocationsAnswer>('locations', (client, signal) =>
    client.get('api/locations', {}, signal),
  );
  useRefresh(again, 10_000);
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Reading the locations…</Waiting>;
  const rows = answer.locations.filter((row) => cluster === undefined || row.cluster === cluster);
  return (
    <Page title={`Locations (${formatCount(rows.length)})`}>
      {rows.length === 0 ? (
        <Notice title="There is no location to store backups in">
          <p>A location is a bucket, or a directory for trying things out. To make one:</p>
          <code>headway location create default --provider aws --bucket NAME</code>
        </Notice>
      ) : (
        <ul className={styles.cards}>
          {rows.map((row) => (
            <Card key={`${row.cluster}/${row.namespace}/${row.name}`} row={row} />
          ))}
        </ul>
      )}
    </Page>
  );
}

const PHASE_WORDS = { Available: 'ok', Unavailable: 'cannot be used', Unknown: 'not checked yet' } as const;

function Card({ row }: { row: LocationRow }): ReactElement {
  return (
    <li className={styles.card}>
      <h2 className={styles.name}>
        <Sign kind={LOCATION_SIGNS[row.phase]} /> {row.name} <small>{PHASE_WORDS[row.phase]}</small>
      </h2>
      {row.message && <p className={styles.message}>{sentence(row.message)}</p>}
      {row.phase === 'Unavailable' && (
        <p className={styles.mend}>
          Mend it with <code>{`kubectl -n ${row.namespace} edit backupstoragelocation ${row.name}`}</code>; it is
          checked again by itself.
        </p>
      )}
      <p className={styles.sum}>
        {formatBytes(row.bytes)}, {plural(row.backups, 'backup')}
      </p>
      <dl className={styles.facts}>
        <Fact name="Cluster">{row.cluster}</Fact>
        <Fact name="Provider">{row.provider}</Fact>
        <Fact name="Bucket">{row.bucket + (row.prefix ? `/${row.prefix}` : '')}</Fact>
        <Fact name="Use">
          {[row.isDefault && 'default', row.isReadOnly ? 'read only' : 'read and write'].filter(Boolean).join(', ')}
        </Fact>
        <Fact name="Checked">
          <When time={row.lastValidatedAt} />
        </Fact>
        <Fact name="Synced">
          <When time={row.lastSyncedAt} />
        </Fact>
      </dl>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
