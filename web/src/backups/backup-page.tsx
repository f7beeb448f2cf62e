import { Button, Tabs } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { formatBytes } from '../../../src/base/index.ts';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { volumeBytes } from '../../../src/core/operations/volume-bytes.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import { useOperation } from '../live/use-live.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { hasContents } from '../show/operation-name.tsx';
import { Page } from '../show/page.tsx';
import { measuresText, NOTHING } from '../show/progress-text.ts';
import { DataGap, StandingLabel } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { Compare } from './compare.tsx';
import { Contents } from './contents.tsx';
import { StoredVolumes } from './stored-volumes.tsx';
import styles from './backups.module.css';

/** A backup opens on what is in it. */
export function BackupPage({ id }: { id: string }): ReactElement {
  const live = useOperation(id);
  const key = live === undefined ? `operation ${id}` : undefined;
  const { answer, error, again } = useAnswer<OperationDetail>(key, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(id)}`, {}, signal),
  );
  const backup = live ?? answer;
  const href = useHref();
  if (backup === undefined) {
    return error ? <ErrorNotice error={error} again={again} /> : <Waiting>Loading this backup…</Waiting>;
  }
  return (
    <Page
      title={`backup/${backup.ref.name}`}
      isFilled
      actions={
        <>
          <Button component="a" variant="default" href={href(['operations', id])}>
            Details
          </Button>
          {hasContents(backup) && (
            <Button component="a" href={href(['restore', id])}>
              Restore…
            </Button>
          )}
        </>
      }
    >
      <Facts backup={backup} />
      {hasContents(backup) ? <Inside backup={backup} /> : <Nothing backup={backup} />}
    </Page>
  );
}

function Nothing({ backup }: { backup: Operation }): ReactElement {
  if (!isTerminal(backup.report.state)) {
    return <Notice title="Nothing to show yet">You can look inside once the backup is complete.</Notice>;
  }
  return (
    <Notice sign="bad" title="There is nothing to restore in this backup">
      {backup.sentence !== undefined && <p>{sentence(backup.sentence)}</p>}
      <p>“Details” shows its problems and its log.</p>
    </Notice>
  );
}

function Inside({ backup }: { backup: Operation }): ReactElement {
  const { tab = 'contents' } = usePlace().query;
  const setQuery = useSetQuery();
  return (
    <Tabs
      className={styles.tabs}
      value={tab}
      keepMounted={false}
      onChange={(next) => {
        setQuery({ tab: next ?? undefined, q: undefined });
      }}
    >
      <Tabs.List>
        <Tabs.Tab value="contents">Contents</Tabs.Tab>
        <Tabs.Tab value="volumes">Volumes</Tabs.Tab>
        <Tabs.Tab value="compare">Compare with…</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="contents" className={styles.tabPanel}>
        <Contents id={backup.id} />
      </Tabs.Panel>
      <Tabs.Panel value="volumes" className={styles.tabPanel}>
        <StoredVolumes id={backup.id} />
      </Tabs.Panel>
      <Tabs.Panel value="compare" className={styles.tabPanel}>
        <Compare backup={backup} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Facts({ backup }: { backup: Operation }): ReactElement {
  const { facts, report } = backup;
  const volumes = volumeBytes(backup);
  return (
    <dl className={styles.facts}>
      <Fact name="State">
        <StandingLabel operation={backup} /> <DataGap operation={backup} />
      </Fact>
      <Fact name="Holds">
        {measuresText({ ...report, measures: report.measures.filter(({ unit }) => unit === 'items') })}
      </Fact>
      <Fact name="Archive">{facts.sizeBytes === undefined ? NOTHING : formatBytes(facts.sizeBytes)}</Fact>
      {volumes && <Fact name="Data of volumes">{formatBytes(volumes.done)}</Fact>}
      <Fact name="Created">
        <When time={backup.createdAt} />
      </Fact>
      <Fact name="Expires">
        <When time={facts.expiresAt} />
      </Fact>
      <Fact name="Location">{facts.location ?? NOTHING}</Fact>
      {facts.schedule && <Fact name="Schedule">{facts.schedule}</Fact>}
    </dl>
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
