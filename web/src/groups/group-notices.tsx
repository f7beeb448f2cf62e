import type { ReactElement } from 'react';
import type { Noun } from '../../../src/core/operations/index.ts';
import { usePlace } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { Command } from '../show/command.tsx';
import { Sign } from '../show/sign.tsx';
import { groupNotes, type GroupNote } from './group-notes.ts';
import styles from './group-notices.module.css';

/** What is installed and what rests may change while somebody looks. */
const AGAIN_MS = 15_000;

/** What is to be said about the group of these operations, in the clusters that are shown. */
export function useGroupNotes(noun: Noun | undefined): GroupNote[] {
  const { session, again } = useSession();
  const { cluster } = usePlace().query;
  useRefresh(again, noun === undefined ? undefined : AGAIN_MS);
  if (noun === undefined) return [];
  return groupNotes(
    noun,
    session.clusters.filter(({ name }) => cluster === undefined || name === cluster),
  );
}

export function GroupNotices({ notes }: { notes: readonly GroupNote[] }): ReactElement[] {
  return notes.map((note) => (
    <section key={note.key} className={note.isWarning ? styles.warning : styles.note} aria-label={note.title}>
      <p>
        <Sign kind={note.isWarning ? 'warn' : 'idle'} /> <strong>{note.title}.</strong> {note.text}
      </p>
      {note.commands.map(({ words, command }) => (
        <Command key={command} words={words} command={command} />
      ))}
    </section>
  ));
}
