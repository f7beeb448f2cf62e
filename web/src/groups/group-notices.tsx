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

interface GroupNoticesProps {
  notes: readonly GroupNote[];
  /** They are all that there is to read. */
  isAlone: boolean;
}

/** One line each, which opens: who looks at operations that others run knows it already. */
export function GroupNotices({ notes, isAlone }: GroupNoticesProps): ReactElement[] {
  return notes.map((note) => (
    <details key={note.key} className={note.isWarning ? styles.warning : styles.note} open={isAlone}>
      <summary>
        <Sign kind={note.isWarning ? 'warn' : 'idle'} /> <strong>{note.title}</strong>
      </summary>
      <div className={styles.text}>
        <p>{note.text}</p>
        {note.commands.map(({ words, command }) => (
          <Command key={command} words={words} command={command} />
        ))}
      </div>
    </details>
  ));
}
