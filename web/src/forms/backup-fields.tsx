import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { LocationsAnswer } from '../../../src/core/operations/index.ts';
import { useAnswer } from '../server/use-answer.ts';
import type { BackupDraft, HookDraft } from './backup-draft.ts';
import { labelsProblem } from './labels.ts';
import { NamespaceChoice } from './namespace-choice.tsx';
import styles from './form.module.css';

const TTLS = [
  { value: '24h0m0s', label: '1 day' },
  { value: '168h0m0s', label: '7 days' },
  { value: '720h0m0s', label: '30 days' },
  { value: '2160h0m0s', label: '90 days' },
  { value: '8760h0m0s', label: '1 year' },
];

interface BackupFieldsProps {
  cluster: string;
  draft: BackupDraft;
  change: (change: Partial<BackupDraft>) => void;
  /** By path below the backup's spec, such as `ttl`. */
  errorAt: (field: string) => string | undefined;
  hasOtherHooks: boolean;
}

/** What to back up, where to, and for how long. */
export function BackupFields({ cluster, draft, change, errorAt, hasOtherHooks }: BackupFieldsProps): ReactElement {
  const { answer } = useAnswer<LocationsAnswer>(`locations ${cluster}`, (client, signal) =>
    client.get('api/locations', { cluster }, signal),
  );
  const locations = answer?.locations.filter((row) => row.cluster === cluster) ?? [];
  const byDefault = locations.find(({ isDefault }) => isDefault)?.name;
  return (
    <>
      <NamespaceChoice
        cluster={cluster}
        chosen={draft.namespaces}
        onChange={(namespaces) => {
          change({ namespaces });
        }}
      />
      <TextInput
        label="Labels"
        description="Only items with all of these labels, such as app=shop,tier=front."
        value={draft.labels}
        error={labelsProblem(draft.labels) ?? errorAt('labelSelector')}
        onChange={(event) => {
          change({ labels: event.currentTarget.value });
        }}
      />
      <div className={styles.pair}>
        <NativeSelect
          label="Keep for"
          value={draft.ttl}
          error={errorAt('ttl')}
          data={
            TTLS.some(({ value }) => value === draft.ttl) ? TTLS : [...TTLS, { value: draft.ttl, label: draft.ttl }]
          }
          onChange={(event) => {
            change({ ttl: event.currentTarget.value });
          }}
        />
        <NativeSelect
          label="Location"
          value={draft.location}
          error={errorAt('storageLocation')}
          data={[
            { value: '', label: byDefault === undefined ? 'Default location' : `${byDefault} (default)` },
            ...locations.filter(({ name }) => name !== byDefault).map(({ name }) => name),
          ]}
          onChange={(event) => {
            change({ location: event.currentTarget.value });
          }}
        />
      </div>
      <NativeSelect
        label="Data of volumes"
        description="Files of volume claims that a running pod mounts are copied while it runs."
        value={draft.volumes}
        error={errorAt('defaultVolumesToFsBackup')}
        data={[
          { value: 'default', label: 'as this server does by default' },
          { value: 'all', label: 'copy the files of all volumes' },
          { value: 'asked', label: 'copy only volumes that annotations of pods name' },
        ]}
        onChange={(event) => {
          change({ volumes: volumesIn(event.currentTarget.value) });
        }}
      />
      {hasOtherHooks ? (
        <p className={styles.dim}>Its hooks are too complex for this form and are kept unchanged.</p>
      ) : (
        <Hooks
          hook={draft.hook}
          change={(hook) => {
            change({ hook: { ...draft.hook, ...hook } });
          }}
        />
      )}
    </>
  );
}

function volumesIn(value: string): BackupDraft['volumes'] {
  return value === 'all' || value === 'asked' ? value : 'default';
}

function Hooks({ hook, change }: { hook: HookDraft; change: (change: Partial<HookDraft>) => void }): ReactElement {
  const field = (
    key: 'labels' | 'container' | 'before' | 'after',
    label: string,
    description: string,
  ): ReactElement => (
    <TextInput
      label={label}
      description={description}
      value={hook[key]}
      error={key === 'labels' ? labelsProblem(hook.labels) : undefined}
      onChange={(event) => {
        change({ [key]: event.currentTarget.value });
      }}
    />
  );
  return (
    <details className={`${styles.box} ${styles.more}`} open={hook.before !== '' || hook.after !== '' || undefined}>
      <summary>Hooks: commands to run in pods</summary>
      <div className={styles.form}>
        {field('before', 'Before a pod is backed up', 'A shell command, such as fsfreeze --freeze /data.')}
        {field('after', 'After a pod is backed up', 'Such as fsfreeze --unfreeze /data.')}
        <div className={styles.pair}>
          {field('labels', 'In pods with labels', 'Leave empty for all pods in the backup.')}
          {field('container', 'Container', 'Leave empty for the first one.')}
        </div>
        <NativeSelect
          label="If a command fails"
          value={hook.onError}
          data={[
            { value: 'Fail', label: 'mark the backup as partially failed' },
            { value: 'Continue', label: 'continue with a warning' },
          ]}
          onChange={(event) => {
            change({ onError: event.currentTarget.value === 'Continue' ? 'Continue' : 'Fail' });
          }}
        />
      </div>
    </details>
  );
}
