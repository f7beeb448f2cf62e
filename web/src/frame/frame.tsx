import { Button } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, type ReactElement } from 'react';
import type { LiveState } from '../live/live-store.ts';
import { useLive } from '../live/use-live.ts';
import { Notice, sentence } from '../show/notice.tsx';
import { Announcer } from './announcer.tsx';
import { CurrentPage } from './current-page.tsx';
import { usePlace } from './place.ts';
import { Rail } from './rail.tsx';
import { useSession } from './session.ts';
import { SearchDialog } from './search-dialog.tsx';
import { TopBar } from './top-bar.tsx';
import styles from './frame.module.css';

const light = (state: LiveState): LiveState['light'] => state.light;

/** Nothing is asked by itself after a refusal; whoever was given the right meanwhile begins anew. */
function TryAgain(): ReactElement {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => {
        window.location.reload();
      }}
    >
      Try again
    </Button>
  );
}

/** Clusters in which nothing goes on, whatever is created there. */
function UnservedClusters(): ReactElement[] {
  const { session } = useSession();
  return session.clusters.flatMap(({ name, problem }) =>
    problem === undefined
      ? []
      : [
          <Notice key={name} sign="warn" title={`Nothing goes on in cluster ${name}`}>
            <p>{sentence(problem)}</p>
          </Notice>,
        ],
  );
}

export function Frame(): ReactElement {
  const [isSearching, search] = useDisclosure(false);
  useHotkeys([['mod+K', search.open]], []);
  const shown = useLive(light);
  const main = useRef<HTMLElement>(null);
  const { path } = usePlace();
  const page = path.join('/');
  useEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [page]);
  return (
    <div className={styles.frame}>
      <a
        className={styles.skip}
        href="#content"
        onClick={(event) => {
          // The address is the place; the jump must not change it.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <TopBar onSearch={search.open} />
      <Rail />
      <main className={styles.main} id="content" ref={main} tabIndex={-1}>
        <UnservedClusters />
        {shown.kind === 'refused' && shown.code === 'forbidden' ? (
          <Notice sign="bad" title="You are not allowed to see operations here" action={<TryAgain />}>
            <p>{sentence(shown.message)}</p>
            <p>Ask your cluster administrator for permission to list and watch backups and restores.</p>
          </Notice>
        ) : (
          <CurrentPage />
        )}
      </main>
      <SearchDialog isOpen={isSearching} onClose={search.close} />
      <Announcer />
    </div>
  );
}
