import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { useHref, usePlace } from './place.ts';
import { Icon, type IconName } from './icon.tsx';
import { useSession } from './session.ts';
import styles from './rail.module.css';

interface Entry {
  path: string[];
  title: string;
  icon: IconName;
  /** First parts of the addresses that belong to it. */
  covers: readonly string[];
}

export const ENTRIES: readonly Entry[] = [
  { path: [], title: 'Overview', icon: 'overview', covers: ['', 'operations'] },
  { path: ['backups'], title: 'Backups', icon: 'backups', covers: ['backups'] },
  { path: ['restores'], title: 'Restores', icon: 'restores', covers: ['restores', 'restore'] },
  { path: ['schedules'], title: 'Schedules', icon: 'schedules', covers: ['schedules'] },
  { path: ['locations'], title: 'Locations', icon: 'locations', covers: ['locations'] },
];

/** At the left; on a phone a bar at the bottom. */
export function Rail(): ReactElement {
  const href = useHref();
  const { path } = usePlace();
  const part = partOf(path);
  const isHere = ({ covers }: Entry): boolean => covers.includes(part);
  return (
    <nav className={styles.rail} aria-label="Pages">
      <a className={styles.brand} href={href([])}>
        <img src="./icon.svg" alt="" width="24" height="24" />
        Headway
      </a>
      <ul className={styles.entries}>
        {ENTRIES.map((entry) => (
          <li key={entry.title}>
            <a className={styles.entry} href={href(entry.path)} aria-current={isHere(entry) ? 'page' : undefined}>
              <Icon name={entry.icon} />
              {entry.title}
            </a>
          </li>
        ))}
      </ul>
      <Bottom />
    </nav>
  );
}

/** One backup or restore belongs to those of its kind, not to the overview. */
function partOf([first = '', id]: readonly string[]): string {
  if (first !== 'operations' || id === undefined) return first;
  return `${id.split('.')[1] ?? ''}s`;
}

function Bottom(): ReactElement {
  const { session, logOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
  const user = session.clusters.find((cluster) => cluster.user !== undefined)?.user;
  return (
    <div className={styles.bottom}>
      <UnstyledButton
        className={styles.entry}
        onClick={() => {
          setColorScheme(next[colorScheme]);
        }}
      >
        <Icon name="sun" />
        Theme: {colorScheme}
      </UnstyledButton>
      <UnstyledButton className={styles.entry} onClick={logOut}>
        <Icon name="leave" />
        <span className={styles.user}>
          Log out
          {user && <small title={user.name}>{user.name.split(':').at(-1)}</small>}
        </span>
      </UnstyledButton>
      <small className={styles.version}>Headway {session.version}</small>
    </div>
  );
}
