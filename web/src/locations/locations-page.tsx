import { Button, Modal } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { LocationRow, LocationsAnswer } from '../../../src/core/operations/index.ts';
import { clusterQuery } from '../forms/object-fields.tsx';
import { useSend } from '../forms/use-send.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { LOCATION_SIGNS } from '../overview/side-panels.tsx';
import { useServices } from '../server/services.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { ConfirmButton } from '../show/confirm-button.tsx';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { LocationForm } from './location-form.tsx';
import styles from './locations.module.css';

export function LocationsPage(): ReactElement {
  const { cluster, new: isNew } = usePlace().query;
  const setQuery = useSetQuery();
  const [checking, setChecking] = useState<string>();
  const { answer, error, again } = useAnswer<LocationsAnswer>('locations', (client, signal) =>
    client.get('api/locations', {}, signal),
  );
  const rowAt = answer?.locations.find((row) => keyOf(row) === checking);
  // What was asked to be checked has no time of its last check until the answer is there.
  const isChecking = checking !== undefined && rowAt?.lastValidatedAt === undefined;
  useRefresh(again, isChecking ? 1000 : 10_000);
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Loading locations…</Waiting>;
  const rows = answer.locations.filter((row) => cluster === undefined || row.cluster === cluster);
  return (
    <Page
      title={`Locations (${formatCount(rows.length)})`}
      actions={
        <Button
          onClick={() => {
            setQuery({ new: '1' });
          }}
        >
          New location…
        </Button>
      }
    >
      {rows.length === 0 ? (
        <Notice title="No locations yet">
          <p>
            A location is where backups are stored: an S3 bucket, or a directory for trying things out. Press “New
            location…”, or run:
          </p>
          <code>headway location create default --provider aws --bucket NAME</code>
        </Notice>
      ) : (
        <ul className={styles.cards}>
          {rows.map((row) => (
            <Card
              key={keyOf(row)}
              row={row}
              onCheck={() => {
                setChecking(keyOf(row));
                again();
              }}
              onDelete={again}
            />
          ))}
        </ul>
      )}
      <Modal
        opened={isNew === '1'}
        title="New location"
        size="lg"
        onClose={() => {
          setQuery({ new: undefined });
        }}
      >
        <LocationForm
          onDone={() => {
            setQuery({ new: undefined });
            again();
          }}
        />
      </Modal>
    </Page>
  );
}

const keyOf = ({ cluster, namespace, name }: LocationRow): string => `${cluster}/${namespace}/${name}`;

const PHASE_WORDS = { Available: 'ok', Unavailable: 'cannot be used', Unknown: 'not checked yet' } as const;

interface CardProps {
  row: LocationRow;
  onCheck: () => void;
  onDelete: () => void;
}

function Card({ row, onCheck, onDelete }: CardProps): ReactElement {
  const { client } = useServices();
  const { error, isSending, send } = useSend();
  const path = `api/locations/${encodeURIComponent(row.name)}`;
  const query = clusterQuery(row.cluster);
  const isWaiting = row.lastValidatedAt === undefined;
  return (
    <li className={styles.card}>
      <h2 className={styles.name}>
        <Sign kind={LOCATION_SIGNS[row.phase]} /> {row.name}{' '}
        <small>{isWaiting ? 'waiting to be checked' : PHASE_WORDS[row.phase]}</small>
      </h2>
      {row.message && <p className={styles.message}>{sentence(row.message)}</p>}
      {row.phase === 'Unavailable' && (
        <p className={styles.mend}>
          To fix its settings: <code>{`kubectl -n ${row.namespace} edit backupstoragelocation ${row.name}`}</code>. It
          is checked again every minute.
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
      {error && <ErrorNotice error={error} />}
      <div className={styles.actions}>
        <Button
          size="xs"
          variant="default"
          disabled={isSending || isWaiting}
          onClick={() => {
            send(async () => {
              await client.change('POST', `${path}/check${query}`);
              onCheck();
            });
          }}
        >
          Check now
        </Button>
        <ConfirmButton
          label="Delete"
          size="xs"
          title={`Delete location/${row.name}?`}
          verb="Delete it"
          keep="Keep it"
          act={async () => {
            await client.change('DELETE', path + query);
            onDelete();
          }}
        >
          <p>
            Headway forgets the location and the backups in it. The files in the store stay, and are found again when
            the location is created anew.
          </p>
        </ConfirmButton>
      </div>
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
