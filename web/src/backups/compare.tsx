import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { ChangedItem, DiffAnswer, ItemName, Operation } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useOperations } from '../live/use-live.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { hasContents } from '../show/operation-name.tsx';
import { plural } from '../show/progress-text.ts';
import styles from './backups.module.css';

/** What is different in the cluster, or in another backup. */
export function Compare({ backup }: { backup: Operation }): ReactElement {
  const { with: other } = usePlace().query;
  const setQuery = useSetQuery();
  const others = useOperations(backup.cluster, { noun: backup.noun }).filter(
    (each) => each.id !== backup.id && hasContents(each),
  );
  const key = other === undefined ? undefined : `diff ${backup.id} ${other}`;
  const { answer, error, again } = useAnswer<DiffAnswer>(key, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(backup.id)}/diff`, { with: other }, signal),
  );
  return (
    <div className={styles.compare}>
      <NativeSelect
        label="Compare this backup with"
        value={other ?? ''}
        data={[
          { value: '', label: 'Choose…' },
          { value: 'cluster', label: `cluster ${backup.cluster}, as it is now` },
          ...others.slice(0, 200).map(({ id, ref }) => ({ value: id, label: `backup/${ref.name}` })),
        ]}
        onChange={(event) => {
          setQuery({ with: event.currentTarget.value });
        }}
      />
      {other === undefined && (
        <Notice title="See what has changed">Shows what was added, removed and changed since this backup.</Notice>
      )}
      {error && <ErrorNotice error={error} again={again} />}
      {other !== undefined && !error && !answer && <Waiting>Comparing every item. This can take a while…</Waiting>}
      {answer && <Difference diff={answer} />}
    </div>
  );
}

function Difference({ diff }: { diff: DiffAnswer }): ReactElement {
  const { counts } = diff;
  const isSame = counts.added + counts.removed + counts.changed === 0;
  return (
    <>
      <p role="status">
        {isSame
          ? 'No differences: '
          : `${formatCount(counts.added)} added, ${formatCount(counts.removed)} removed, ${formatCount(counts.changed)} changed, `}
        {plural(diff.equal, 'item')} equal.
        {diff.isCut && ' The lists are shortened.'}
      </p>
      {diff.problems.map((text) => (
        <p key={text} className={styles.warn}>
          {sentence(text)}
        </p>
      ))}
      <List title="Added" sign="+" items={diff.added} count={counts.added} />
      <List title="Removed" sign="−" items={diff.removed} count={counts.removed} />
      {diff.changed.length > 0 && (
        <details open>
          <summary>Changed ({formatCount(counts.changed)})</summary>
          {diff.changed.map((item) => (
            <Changed key={nameOf(item)} item={item} />
          ))}
        </details>
      )}
    </>
  );
}

function List({
  title,
  sign,
  items,
  count,
}: {
  title: string;
  sign: string;
  items: readonly ItemName[];
  /** Of all, also of those that are not told. */
  count: number;
}): ReactElement | null {
  if (items.length === 0) return null;
  const shown = items.slice(0, 500);
  return (
    <details>
      <summary>
        {title} ({formatCount(count)})
      </summary>
      <ul className={styles.names}>
        {shown.map((item) => (
          <li key={nameOf(item)}>
            {sign} {nameOf(item)}
          </li>
        ))}
        {count > shown.length && <li>and {formatCount(count - shown.length)} more</li>}
      </ul>
    </details>
  );
}

function Changed({ item }: { item: ChangedItem }): ReactElement {
  return (
    <details className={styles.changed}>
      <summary>
        {nameOf(item)} ({plural(item.fields.length, 'field')})
      </summary>
      <table className={styles.fields}>
        <tbody>
          {item.fields.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td>
                {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function nameOf({ resource, namespace, name }: ItemName): string {
  return `${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
