import { Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ItemAnswer } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Waiting } from '../show/notice.tsx';
import { YamlText } from '../show/yaml-view.tsx';
import styles from './backups.module.css';

/** One item as it is in the backup; which one stands in the address. */
export function ItemDialog({ id }: { id: string }): ReactElement {
  const { item } = usePlace().query;
  const setQuery = useSetQuery();
  const [resource = '', namespace = '', ...rest] = (item ?? '').split('/');
  const name = rest.join('/');
  const key = item === undefined ? undefined : `item ${id} ${item}`;
  const { answer, error, again } = useAnswer<ItemAnswer>(key, (client, signal) =>
    client.get(
      `api/backups/${encodeURIComponent(id)}/item`,
      { resource, namespace: namespace || undefined, name },
      signal,
    ),
  );
  return (
    <Modal
      opened={item !== undefined}
      onClose={() => {
        setQuery({ item: undefined });
      }}
      title={`${resource} ${namespace === '' ? '' : `${namespace}/`}${name}`}
      size="xl"
    >
      {error && <ErrorNotice error={error} again={again} />}
      {!error && answer === undefined && <Waiting>Loading this item from the archive…</Waiting>}
      {answer?.isMasked && <p className={styles.masked}>Secret values are replaced by asterisks.</p>}
      {answer && <YamlText text={answer.yaml} label={`YAML of ${name}`} />}
    </Modal>
  );
}
