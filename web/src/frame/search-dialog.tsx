import { Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { useOperations } from '../live/use-live.ts';
import { useAnswer } from '../server/use-answer.ts';
import { Sign, StandingLabel } from '../show/sign.tsx';
import { hasContents, Where } from '../show/operation-name.tsx';
import { goTo, usePlace } from './place.ts';
import { ENTRIES } from './rail.tsx';
import { useSession } from './session.ts';
import styles from './search-dialog.module.css';

interface Hit {
  key: string;
  title: string;
  side?: ReactElement | string;
  choose: () => void;
}

const MAX_HITS = 12;
const MAX_VOLUMES = 4;
const NO_VOLUMES: readonly Operation[] = [];

/** ⌘K: go anywhere by typing a part of its name. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Search" size="lg" yOffset="10vh" centered={false}>
      <SearchBody onClose={onClose} />
    </Modal>
  );
}

function SearchBody({ onClose }: { onClose: () => void }): ReactElement {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const hits = useHits(text.trim().toLowerCase());
  const take = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    onClose();
    hit.choose();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at) => (at + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') take(hits[chosen]);
  };
  return (
    <div onKeyDown={onKey}>
      <TextInput
        data-autofocus
        aria-label="Search"
        placeholder="A part of a name"
        value={text}
        role="combobox"
        aria-expanded="true"
        aria-controls="hits"
        aria-activedescendant={hits[chosen] === undefined ? undefined : `hit-${String(chosen)}`}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
      />
      <ul className={styles.hits} id="hits" role="listbox" aria-label="Found">
        {hits.map((hit, at) => (
          <li
            key={hit.key}
            id={`hit-${String(at)}`}
            role="option"
            aria-selected={at === chosen}
            className={styles.hit}
            onClick={() => {
              take(hit);
            }}
          >
            <span className={styles.title}>{hit.title}</span>
            <span className={styles.side}>{hit.side}</span>
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p className={styles.none}>No operation or backup has “{text}” in its name.</p>}
    </div>
  );
}

function useHits(text: string): Hit[] {
  const operations = useOperations(undefined);
  const volumes = useVolumes(text);
  const commands = useCommands();
  const { cluster } = usePlace().query;
  return useMemo(() => {
    const kept = operations.filter((each) => each.noun !== 'volume' && operationTitle(each).includes(text));
    const found = [...kept.slice(0, MAX_HITS - 1 - volumes.length), ...volumes];
    const toOperation = (operation: Operation): Hit => ({
      key: operation.id,
      title: operationTitle(operation),
      side: (
        <>
          <Where operation={operation} /> <StandingLabel operation={operation} />
        </>
      ),
      choose: () => {
        goTo(['operations', operation.id], { cluster });
      },
    });
    const inside = operations.find(hasContents);
    const items: Hit[] =
      text === '' || inside === undefined
        ? []
        : [
            {
              key: 'items',
              title: `Items named “${text}” in ${operationTitle(inside)}`,
              side: <Sign kind="idle" />,
              choose: () => {
                goTo(['backups', inside.id], { cluster, q: text });
              },
            },
          ];
    const named = commands.filter(({ title }) => title.toLowerCase().includes(text));
    return [...found.map(toOperation), ...items, ...named].slice(0, MAX_HITS + 4);
  }, [operations, volumes, commands, text, cluster]);
}

/** The volumes of others are not kept in the page, because they may be many: the server looks for them. */
function useVolumes(text: string): readonly Operation[] {
  const [typed] = useDebouncedValue(text, 200);
  const key = typed === '' ? undefined : `volumes ${typed}`;
  const { answer } = useAnswer(key, (client, signal) =>
    client.operations({ noun: 'volume', q: typed, limit: String(MAX_VOLUMES) }, signal),
  );
  return answer?.operations ?? NO_VOLUMES;
}

/** Also the way to the theme and to the log-out on a phone. */
function useCommands(): Hit[] {
  const { logOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { cluster } = usePlace().query;
  return useMemo(() => {
    const pages = ENTRIES.map(({ path, title }) => ({
      key: title,
      title,
      side: 'page',
      choose: () => {
        goTo(path, { cluster });
      },
    }));
    const other = colorScheme === 'dark' ? 'light' : 'dark';
    const theme = {
      key: 'theme',
      title: `Switch to the ${other} theme`,
      choose: () => {
        setColorScheme(other);
      },
    };
    return [...pages, theme, { key: 'leave', title: 'Log out', choose: logOut }];
  }, [logOut, colorScheme, setColorScheme, cluster]);
}
