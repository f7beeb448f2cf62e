import { UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { ContentsAnswer, ItemName } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useAnswer } from '../server/use-answer.ts';
import { FilterInput } from '../show/filter-input.tsx';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { plural } from '../show/progress-text.ts';
import { WindowedList } from '../show/windowed-list.tsx';
import { treeOf, type Branch } from './contents-tree.ts';
import { ItemDialog } from './item-dialog.tsx';
import styles from './contents.module.css';

/** What is in a backup: a tree at the left, the items at the right, one item's YAML on top. */
export function Contents({ id }: { id: string }): ReactElement {
  const { ns, kind, q = '' } = usePlace().query;
  const [filter] = useDebouncedValue(q, 200);
  // `-` stands for what has no namespace, because an empty value is no choice.
  const namespace = ns === '-' ? '' : ns;
  const key = JSON.stringify(['contents', id, namespace, kind, filter]);
  const { answer, error, again } = useAnswer<ContentsAnswer>(key, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/contents`, { namespace, kind, q: filter || undefined }, signal),
  );
  const tree = useAnswer<ContentsAnswer>(`tree ${id}`, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/contents`, { limit: '1' }, signal),
  );
  if (error) return <ErrorNotice error={error} again={again} />;
  return (
    <div className={styles.contents}>
      <nav className={styles.tree} aria-label="Namespaces and kinds">
        <Entry label="Everything" count={sum(tree.answer)} isChosen={ns === undefined && kind === undefined} to={{}} />
        {treeOf(tree.answer?.groups ?? []).map((branch) => (
          <BranchEntries key={branch.namespace} branch={branch} ns={ns} kind={kind} />
        ))}
      </nav>
      <div className={styles.right}>
        <FilterInput label="Filter items" placeholder="Filter by name, namespace or kind" />
        {answer === undefined ? <Waiting>Loading the archive…</Waiting> : <Items answer={answer} />}
      </div>
      <ItemDialog id={id} />
    </div>
  );
}

function BranchEntries({
  branch,
  ns,
  kind,
}: {
  branch: Branch;
  ns: string | undefined;
  kind: string | undefined;
}): ReactElement {
  const name = branch.namespace || '-';
  const isOpen = ns === name;
  return (
    <>
      <Entry
        label={branch.namespace || 'no namespace'}
        count={branch.count}
        isChosen={isOpen && kind === undefined}
        to={{ ns: name }}
        isOpen={isOpen}
      />
      {isOpen &&
        branch.resources.map(({ resource, count }) => (
          <Entry
            key={resource}
            label={resource}
            count={count}
            isChosen={kind === resource}
            to={{ ns: name, kind: resource }}
            depth
          />
        ))}
    </>
  );
}

interface EntryProps {
  label: string;
  count: number;
  isChosen: boolean;
  to: { ns?: string; kind?: string };
  isOpen?: boolean;
  depth?: boolean;
}

function Entry({ label, count, isChosen, to, isOpen, depth }: EntryProps): ReactElement {
  const setQuery = useSetQuery();
  return (
    <UnstyledButton
      className={`${styles.entry} ${depth ? styles.deep : ''}`}
      aria-pressed={isChosen}
      aria-expanded={isOpen}
      onClick={() => {
        setQuery({ ns: to.ns, kind: to.kind });
      }}
    >
      <span>{label}</span>
      <span className={styles.count}>{formatCount(count)}</span>
    </UnstyledButton>
  );
}

function Items({ answer }: { answer: ContentsAnswer }): ReactElement {
  const { items, total, problems } = answer;
  return (
    <>
      <p className={styles.summary} role="status">
        {plural(total, 'item')}
        {total > items.length && `, the first ${formatCount(items.length)} are shown; filter to see others`}
      </p>
      {problems.map((text) => (
        <p key={text} className={styles.problem}>
          {sentence(text)}
        </p>
      ))}
      {items.length === 0 ? (
        <Notice title="No matching items">Clear the filter or choose another namespace.</Notice>
      ) : (
        <WindowedList
          className={styles.items}
          label="Items"
          count={items.length}
          rowHeight={36}
          row={(index) => {
            const item = items[index];
            return item && <ItemRow key={itemKey(item)} item={item} />;
          }}
        />
      )}
    </>
  );
}

function ItemRow({ item }: { item: ItemName }): ReactElement {
  const setQuery = useSetQuery();
  return (
    <div role="listitem" className={styles.item}>
      <UnstyledButton
        className={styles.open}
        onClick={() => {
          setQuery({ item: itemKey(item) });
        }}
      >
        {item.name}
      </UnstyledButton>
      <span>{item.resource}</span>
      <span>{item.namespace ?? ''}</span>
    </div>
  );
}

function itemKey({ resource, namespace = '', name }: ItemName): string {
  return `${resource}/${namespace}/${name}`;
}

function sum(answer: ContentsAnswer | undefined): number {
  return answer?.groups.reduce((all, { count }) => all + count, 0) ?? 0;
}
