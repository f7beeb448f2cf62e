import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { KNOWN_KINDS, OTHER_KIND, type ObjectDraft } from './run-draft.ts';
import form from '../forms/form.module.css';
import styles from './blueprints.module.css';

interface ObjectFieldsProps {
  object: ObjectDraft;
  /** Without a name it is the object of the earlier action set. */
  isOptional: boolean;
  onChange: (change: Partial<ObjectDraft>) => void;
}

/** What the action is done to. */
export function ObjectFields({ object, isOptional, onChange }: ObjectFieldsProps): ReactElement {
  const field = (key: Exclude<keyof ObjectDraft, 'kind'>, label: string, placeholder = ''): ReactElement => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={object[key]}
      onChange={(event) => {
        onChange({ [key]: event.currentTarget.value });
      }}
    />
  );
  const isOther = object.kind === OTHER_KIND;
  return (
    <fieldset className={form.box}>
      <legend>Object</legend>
      <div className={form.form}>
        <div className={styles.triple}>
          <NativeSelect
            label="Kind"
            value={object.kind}
            data={[
              ...KNOWN_KINDS.map((kind) => ({ value: kind, label: kind })),
              { value: OTHER_KIND, label: 'other…' },
            ]}
            onChange={(event) => {
              onChange({ kind: event.currentTarget.value });
            }}
          />
          {object.kind !== 'Namespace' && field('namespace', 'Namespace of the object')}
          {field('name', 'Name of the object', isOptional ? 'as in the earlier action set' : '')}
        </div>
        {isOther && (
          <div className={styles.triple}>
            {field('group', 'API group', 'empty for the core group')}
            {field('version', 'Version', 'v1')}
            {field('resource', 'Resource', 'configmaps')}
          </div>
        )}
      </div>
    </fieldset>
  );
}
