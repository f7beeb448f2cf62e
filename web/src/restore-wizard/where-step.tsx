import { Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { namespaceProblem, nameProblem } from '../forms/field-errors.tsx';
import { useSession } from '../frame/session.ts';
import { Notice } from '../show/notice.tsx';
import type { StepProps } from './step-props.ts';
import styles from './wizard.module.css';

/** Cluster, names of the namespaces there, and what happens to what is there already. */
export function WhereStep({ draft, contents, change }: StepProps): ReactElement {
  const { session } = useSession();
  const names = session.clusters.map(({ name }) => name);
  const inBackup = [...new Set(contents.groups.flatMap(({ namespace }) => namespace ?? []))];
  const taken = draft.namespaces.length === 0 ? inBackup : draft.namespaces;
  return (
    <>
      <TextInput
        label="Name of the restore"
        value={draft.name}
        error={nameProblem(draft.name)}
        onChange={(event) => {
          change({ name: event.currentTarget.value });
        }}
      />
      {names.length > 1 && (
        <NativeSelect
          label="Cluster"
          description="The backup’s location must be configured there too."
          value={draft.cluster}
          data={names}
          onChange={(event) => {
            change({ cluster: event.currentTarget.value });
          }}
        />
      )}
      <fieldset className={styles.choice}>
        <legend>Target namespaces</legend>
        {taken.length === 0 && (
          <Notice title="No namespaces are restored">Only cluster-scoped items are selected.</Notice>
        )}
        <div className={styles.mapping}>
          {taken.map((namespace) => (
            <TextInput
              key={namespace}
              size="xs"
              label={namespace}
              placeholder={namespace}
              value={draft.mapping[namespace] ?? ''}
              error={namespaceProblem(draft.mapping[namespace] ?? '')}
              onChange={(event) => {
                change({ mapping: { ...draft.mapping, [namespace]: event.currentTarget.value } });
              }}
            />
          ))}
        </div>
        <p className={styles.dim}>Leave empty to keep the name.</p>
      </fieldset>
      <Radio.Group
        label="If an item already exists"
        value={draft.policy}
        onChange={(value) => {
          change({ policy: value === 'update' ? 'update' : 'none' });
        }}
      >
        <div className={styles.radios}>
          <Radio value="none" label="Leave it as it is" />
          <Radio value="update" label="Update it to match the backup" />
        </div>
      </Radio.Group>
      <Checkbox
        label="Verify volumes"
        description="Compares every restored file with the checksum that the backup recorded, if it was made with “Verify volumes”."
        checked={draft.isVerified}
        onChange={(event) => {
          change({ isVerified: event.currentTarget.checked });
        }}
      />
    </>
  );
}
