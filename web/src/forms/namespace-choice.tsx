import { Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { NamespacesAnswer } from '../../../src/core/operations/index.ts';
import { namesIn } from '../server/resource.ts';
import { useAnswer } from '../server/use-answer.ts';
import styles from './form.module.css';

interface NamespaceChoiceProps {
  cluster: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** As many are seen at a glance. */
const MANY = 12;

/** The namespaces of the cluster to choose from; whoever may not list them writes their names. */
export function NamespaceChoice({ cluster, chosen, onChange }: NamespaceChoiceProps): ReactElement {
  const [filter, setFilter] = useState('');
  const { answer, error } = useAnswer<NamespacesAnswer>(`namespaces ${cluster}`, (client, signal) =>
    client.get('api/namespaces', { cluster }, signal),
  );
  if (answer === undefined) return <Written chosen={chosen} onChange={onChange} isWaiting={error === undefined} />;
  const all = [...new Set([...answer.namespaces, ...chosen])].toSorted();
  const shown = all.filter((name) => name.includes(filter.toLowerCase()) || chosen.includes(name));
  return (
    <fieldset className={styles.box}>
      <legend>Namespaces{chosen.length > 0 && ` (${String(chosen.length)} of ${String(all.length)})`}</legend>
      {all.length > MANY && (
        <TextInput
          size="xs"
          aria-label="Filter namespaces"
          placeholder="Filter namespaces"
          value={filter}
          onChange={(event) => {
            setFilter(event.currentTarget.value);
          }}
        />
      )}
      <div className={styles.names} role="group" aria-label="Namespaces" tabIndex={0}>
        {shown.map((name) => (
          <Checkbox
            key={name}
            size="xs"
            label={name}
            checked={chosen.includes(name)}
            onChange={(event) => {
              onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name));
            }}
          />
        ))}
      </div>
      <p className={styles.dim}>{chosen.length === 0 ? 'None selected: the whole cluster is backed up.' : ' '}</p>
    </fieldset>
  );
}

function Written({
  chosen,
  onChange,
  isWaiting,
}: Pick<NamespaceChoiceProps, 'chosen' | 'onChange'> & { isWaiting: boolean }): ReactElement {
  const [text, setText] = useState(chosen.join(', '));
  return (
    <TextInput
      label="Namespaces"
      description={isWaiting ? 'Loading namespaces…' : 'Separate names with commas. Leave empty for the whole cluster.'}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(namesIn(event.currentTarget.value));
      }}
    />
  );
}
