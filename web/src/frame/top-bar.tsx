import { Kbd, NativeSelect, UnstyledButton } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { LiveLight } from './live-light.tsx';
import { usePlace, useSetQuery } from './place.ts';
import { useSession } from './session.ts';
import styles from './top-bar.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }): ReactElement {
  const { logOut } = useSession();
  return (
    // A dialog has a header of its own, and a page is to have only one.
    <section className={styles.bar} aria-label="Cluster, search and connection">
      <ClusterSwitch />
      <UnstyledButton className={styles.search} onClick={onSearch} aria-label="Search operations and backups">
        <Icon name="search" />
        <span className={styles.hint}>Search operations and backups</span>
        <Kbd className={styles.key}>{/Mac|iP/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</Kbd>
      </UnstyledButton>
      <LiveLight />
      <UnstyledButton className={styles.leave} onClick={logOut} aria-label="Log out">
        <Icon name="leave" />
      </UnstyledButton>
    </section>
  );
}

function ClusterSwitch(): ReactElement {
  const { session } = useSession();
  const { cluster } = usePlace().query;
  const setQuery = useSetQuery();
  const names = session.clusters.map(({ name }) => name);
  if (names.length < 2) return <span className={styles.cluster}>{names[0]}</span>;
  return (
    <NativeSelect
      size="xs"
      aria-label="Cluster"
      className={styles.cluster}
      value={cluster ?? ''}
      data={[{ value: '', label: 'All clusters' }, ...names]}
      onChange={(event) => {
        setQuery({ cluster: event.currentTarget.value });
      }}
    />
  );
}
