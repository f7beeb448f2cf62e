import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Noun } from '../../../src/core/operations/index.ts';
import { nounOf } from '../live/noun-of.ts';
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
  /** What the operations of its page are called. */
  noun?: Noun;
  /** On a phone it is behind “More”: a thumb needs room. */
  isLess?: true;
  /** At a desk it stands below the entry before it, although it is less. */
  isBelow?: true;
}

export const ENTRIES: readonly Entry[] = [
  { path: [], title: 'Overview', icon: 'overview', covers: ['', 'operations'] },
  { path: ['backups'], title: 'Backups', icon: 'backups', covers: ['backups'], noun: 'backup' },
  { path: ['restores'], title: 'Restores', icon: 'restores', covers: ['restores', 'restore'], noun: 'restore' },
  { path: ['actions'], title: 'Actions', icon: 'actions', covers: ['actions'], noun: 'action' },
  {
    path: ['blueprints'],
    title: 'Blueprints',
    icon: 'blueprints',
    covers: ['blueprints'],
    isLess: true,
    isBelow: true,
  },
  { path: ['migrations'], title: 'Migrations', icon: 'migrations', covers: ['migrations'], noun: 'migration' },
  { path: ['schedules'], title: 'Schedules', icon: 'schedules', covers: ['schedules'], isLess: true },
  { path: ['locations'], title: 'Locations', icon: 'locations', covers: ['locations'], isLess: true },
];

/** The page that lists operations which are called so; volumes have none of their own. */
export function listOf(noun: Noun): readonly string[] {
  return ENTRIES.find((entry) => entry.noun === noun)?.path ?? [];
}

/** At the left; on a phone a bar at the bottom. */
export function Rail(): ReactElement {
  const href = useHref();
  const { path } = usePlace();
  const here = entryOf(path);
  const [isOpen, setOpen] = useState(false);
  const link = (entry: Entry, className?: string): ReactElement => (
    <li key={entry.title} className={className}>
      <a
        className={styles.entry}
        href={href(entry.path)}
        aria-current={entry === here ? 'page' : undefined}
        onClick={() => {
          setOpen(false);
        }}
      >
        <Icon name={entry.icon} />
        {entry.title}
      </a>
    </li>
  );
  return (
    <nav
      className={styles.rail}
      aria-label="Pages"
      onKeyDown={({ key }) => {
        if (key === 'Escape') setOpen(false);
      }}
    >
      <a className={styles.brand} href={href([])}>
        <img src="./icon.svg" alt="" width="24" height="24" />
        Headway
      </a>
      <ul className={styles.entries}>
        {ENTRIES.filter(({ isLess, isBelow }) => !isLess || isBelow).map((entry) =>
          link(entry, entry.isBelow && styles.below),
        )}
        <li>
          <UnstyledButton
            className={`${styles.entry} ${styles.more}`}
            aria-expanded={isOpen}
            // What is behind it may be where one is.
            data-here={here?.isLess}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            <Icon name="more" />
            More
          </UnstyledButton>
          <ul className={`${styles.less} ${isOpen ? styles.open : ''}`}>
            {ENTRIES.filter(({ isLess }) => isLess).map((entry) => link(entry, entry.isBelow && styles.onPhone))}
          </ul>
        </li>
      </ul>
      <Bottom />
    </nav>
  );
}

/** One operation belongs to those that are called as it is, not to the overview. */
function entryOf([first = '', id]: readonly string[]): Entry | undefined {
  const noun = first === 'operations' && id !== undefined ? nounOf(id) : undefined;
  const own = noun === undefined ? undefined : ENTRIES.find((entry) => entry.noun === noun);
  return own ?? ENTRIES.find(({ covers }) => covers.includes(first));
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
