import { Checkbox, TextInput } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { countChosen } from '../backups/contents-tree.ts';
import { labelsProblem } from '../forms/labels.ts';
import { plural } from '../show/progress-text.ts';
import type { StepProps } from './step-props.ts';
import styles from './wizard.module.css';

interface Option {
  name: string;
  count: number;
}

/** Namespaces, kinds and labels; the count follows every click. */
export function WhatStep({ draft, contents, change }: StepProps): ReactElement {
  const { groups } = contents;
  const namespaces = useMemo(() => options(groups, ({ namespace }) => namespace), [groups]);
  const resources = useMemo(() => options(groups, ({ resource }) => resource), [groups]);
  const count = countChosen(groups, {
    namespaces: new Set(draft.namespaces),
    resources: new Set(draft.resources),
    takesClusterScoped: draft.namespaces.length === 0,
  });
  return (
    <>
      <p className={styles.lead} role="status">
        <strong>{plural(count, 'item')}</strong>
        {draft.labels === '' ? '' : ' before labels are applied'}. Select nothing to restore everything.
      </p>
      <div className={styles.choices}>
        <Choice
          title="Namespaces"
          options={namespaces}
          chosen={draft.namespaces}
          onChange={(next) => {
            change({ namespaces: next });
          }}
        />
        <Choice
          title="Kinds"
          options={resources}
          chosen={draft.resources}
          onChange={(next) => {
            change({ resources: next });
          }}
        />
      </div>
      <TextInput
        label="Labels"
        description="Only items with all of these labels, such as app=shop,tier=front."
        value={draft.labels}
        error={labelsProblem(draft.labels)}
        onChange={(event) => {
          change({ labels: event.currentTarget.value });
        }}
      />
    </>
  );
}

interface ChoiceProps {
  title: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Choice({ title, options: all, chosen, onChange }: ChoiceProps): ReactElement {
  return (
    <fieldset className={styles.choice}>
      <legend>
        {title} {chosen.length > 0 && `(${String(chosen.length)} of ${String(all.length)})`}
      </legend>
      <div className={styles.boxes} tabIndex={0} role="group" aria-label={title}>
        {all.map(({ name, count }) => (
          <Checkbox
            key={name}
            size="xs"
            label={
              <>
                {name} <span className={styles.dim}>{formatCount(count)}</span>
              </>
            }
            checked={chosen.includes(name)}
            onChange={(event) => {
              onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name));
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

type Group = StepProps['contents']['groups'][number];

function options(groups: readonly Group[], nameOf: (group: Group) => string | undefined): Option[] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const name = nameOf(group);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + group.count);
  }
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
