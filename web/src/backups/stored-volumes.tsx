import { TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, type ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type {
  FilesListing,
  StoredVolume,
  VolumeFile,
  VolumeFilesAnswer,
  VolumesAnswer,
} from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { NOTHING } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { WindowedList } from '../show/windowed-list.tsx';
import styles from './contents.module.css';
import own from './stored-volumes.module.css';

const ASK_AGAIN_MS = 200;

/** The volumes of a backup at the left, the files of the chosen one at the right. */
export function StoredVolumes({ id }: { id: string }): ReactElement {
  const { volume: chosen } = usePlace().query;
  const setQuery = useSetQuery();
  const { answer, error, again } = useAnswer<VolumesAnswer>(`stored volumes ${id}`, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/volumes`, {}, signal),
  );
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Loading the volumes…</Waiting>;
  if (answer.volumes.length === 0) {
    return (
      <Notice title="No data of volumes is in this backup">Its volume claims are, as far as there are any.</Notice>
    );
  }
  return (
    <div className={styles.contents}>
      <ul className={`${styles.tree} ${own.volumes}`} aria-label="Volumes">
        {answer.volumes.map((volume) => (
          <li key={volume.id}>
            <UnstyledButton
              className={styles.entry}
              aria-pressed={volume.id === chosen}
              onClick={() => {
                setQuery({ volume: volume.id, q: undefined });
              }}
            >
              <span title={volume.claim ?? volume.id}>{volume.claim ?? volume.id}</span>
              <span className={styles.count}>{volume.bytes === undefined ? NOTHING : formatBytes(volume.bytes)}</span>
            </UnstyledButton>
            <Facts volume={volume} />
          </li>
        ))}
      </ul>
      <div className={styles.right}>
        {chosen === undefined ? (
          <Notice title="Choose a volume">Its files are listed here, where its plugin lets Headway read them.</Notice>
        ) : (
          <Files id={id} volume={chosen} />
        )}
      </div>
    </div>
  );
}

function Facts({ volume: { plugin, phase, completedAt, message } }: { volume: StoredVolume }): ReactElement {
  return (
    <p className={own.facts}>
      {phase !== 'Completed' && (
        <>
          <Sign kind="bad" /> {phase} ·{' '}
        </>
      )}
      by {plugin}
      {completedAt !== undefined && (
        <>
          {' '}
          · <When time={completedAt} />
        </>
      )}
      {message !== undefined && ` · ${sentence(message)}`}
    </p>
  );
}

function Files({ id, volume }: { id: string; volume: string }): ReactElement {
  const { q = '' } = usePlace().query;
  const setQuery = useSetQuery();
  const [filter] = useDebouncedValue(q, 200);
  const key = JSON.stringify(['files', id, volume, filter]);
  const { answer, error, isAsking, again } = useAnswer<VolumeFilesAnswer>(key, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/volumes/files`, { volume, q: filter || undefined }, signal),
  );
  const isListing = answer?.listing !== undefined && !error;
  // The server holds each answer back until there is news, so this asks about once a second.
  useEffect(() => {
    if (!isListing || isAsking) return;
    const timer = setTimeout(again, ASK_AGAIN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isListing, isAsking, again]);
  return (
    <>
      <TextInput
        aria-label="Filter files"
        placeholder="Filter by path"
        value={q}
        onChange={(event) => {
          setQuery({ q: event.currentTarget.value });
        }}
      />
      {error ? (
        <ErrorNotice error={error} again={again} />
      ) : answer === undefined ? (
        <Waiting>Reading the volume’s files…</Waiting>
      ) : answer.listing !== undefined ? (
        <Waiting>{listingText(answer.listing)}</Waiting>
      ) : (
        <FileList answer={answer} />
      )}
    </>
  );
}

/** The files are in a repository, and it takes a pod to look into one. */
function listingText({ seconds, entries, waitsFor }: FilesListing): string {
  const far = entries > 0 ? `${formatCount(entries)} so far` : (waitsFor ?? 'it begins');
  return `A mover lists the files with kopia: ${seconds} s, ${far}…`;
}

function FileList({ answer: { files, notes = [], continue: more } }: { answer: VolumeFilesAnswer }): ReactElement {
  if (files.length === 0) {
    const text = notes.length === 0 ? 'Clear the filter to see all of them.' : notes.map(sentence).join(' ');
    return <Notice title="No matching files">{text}</Notice>;
  }
  return (
    <>
      {notes.map((note) => (
        <p key={note} className={styles.summary} role="note">
          <Sign kind="warn" /> {sentence(note)}
        </p>
      ))}
      <p className={styles.summary} role="status">
        {formatCount(files.length)} {files.length === 1 ? 'entry' : 'entries'}
        {more !== undefined && ', the first ones; filter to see others'}
      </p>
      <WindowedList
        className={styles.items}
        label="Files"
        count={files.length}
        rowHeight={36}
        row={(index) => {
          const file = files[index];
          return file && <FileRow key={file.path} file={file} />;
        }}
      />
    </>
  );
}

function FileRow({ file: { path, type, bytes, mode, modifiedAt, target } }: { file: VolumeFile }): ReactElement {
  const size = type === 'file' ? formatBytes(bytes) : target === undefined ? type : `${type} to ${target}`;
  return (
    <div role="listitem" className={styles.item}>
      <span title={path}>{path}</span>
      <span title={size}>{size}</span>
      <span>
        {(mode & 0o7777).toString(8).padStart(4, '0')} · <When time={modifiedAt} />
      </span>
    </div>
  );
}
