import { Button, Checkbox, Modal } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { BACKUP } from '../../../src/api/resource-types.ts';
import { formatCount, type JsonObject } from '../../../src/base/index.ts';
import { VERIFY_ANNOTATION } from '../../../src/core/operations/annotations.ts';
import type { BackupPlanAnswer, ChangedAnswer } from '../../../src/core/operations/index.ts';
import { backupSpecOf, draftOfSpec, type BackupDraft } from '../forms/backup-draft.ts';
import { BackupFields } from '../forms/backup-fields.tsx';
import { fieldErrors, FormError, nameProblem } from '../forms/field-errors.tsx';
import { labelsProblem } from '../forms/labels.ts';
import { ClusterField, NameField, useClusterField } from '../forms/object-fields.tsx';
import { useSend } from '../forms/use-send.ts';
import { goTo } from '../frame/place.ts';
import { PlannedVolumes } from '../restore-wizard/planned-volumes.tsx';
import { resource, timedName } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { sentence } from '../show/notice.tsx';
import { plural } from '../show/progress-text.ts';
import styles from './backups.module.css';
import form from '../forms/form.module.css';

/** Asks for as little as possible, and shows what would be taken before it begins. */
export function NewBackup({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Back up" size="lg">
      <Form onClose={onClose} />
    </Modal>
  );
}

const FIELDS = ['metadata.name', 'spec.ttl', 'spec.storageLocation', 'spec.labelSelector'];

function Form({ onClose }: { onClose: () => void }): ReactElement {
  const { client } = useServices();
  const place = useClusterField();
  const [name, setName] = useState(() => timedName('backup', new Date()));
  const [draft, setDraft] = useState<BackupDraft>(() => draftOfSpec({}));
  const [isVerified, setVerified] = useState(false);
  const [plan, setPlan] = useState<{ of: string; answer: BackupPlanAnswer }>();
  const { error, isSending, send } = useSend();
  const errors = fieldErrors(error);
  const annotations = isVerified ? { annotations: { [VERIFY_ANNOTATION]: 'true' } } : {};
  const body: JsonObject = resource(
    BACKUP,
    { namespace: place.namespace, name, ...annotations },
    backupSpecOf(draft, {}),
  );
  const key = JSON.stringify([place.cluster, body]);
  const shown = plan?.of === key ? plan.answer : undefined;
  const isWrong = name === '' || (nameProblem(name) ?? labelsProblem(draft.labels)) !== undefined;
  const check = async (): Promise<void> => {
    setPlan({ of: key, answer: await client.change<BackupPlanAnswer>('POST', `api/plan${place.query}`, body) });
  };
  const begin = async (): Promise<void> => {
    const { id } = await client.change<ChangedAnswer>('POST', `api/backups${place.query}`, body);
    onClose();
    goTo(id === undefined ? ['backups'] : ['operations', id]);
  };
  return (
    <div className={form.form}>
      <ClusterField {...place} />
      <NameField name={name} error={errors.get('metadata.name')} onChange={setName} />
      <BackupFields
        cluster={place.cluster}
        draft={draft}
        change={(change) => {
          setDraft((before) => ({ ...before, ...change }));
        }}
        errorAt={(field) => errors.get(`spec.${field}`)}
        hasOtherHooks={false}
      />
      <Checkbox
        label="Verify volumes"
        description="Records a checksum of every file. It takes longer."
        checked={isVerified}
        onChange={(event) => {
          setVerified(event.currentTarget.checked);
        }}
      />
      <FormError error={error} fields={FIELDS} />
      {shown && <Plan plan={shown} />}
      <div className={form.buttons}>
        <Button
          variant="default"
          disabled={isSending || isWrong}
          onClick={() => {
            send(check);
          }}
        >
          {isSending ? 'Please wait…' : 'Preview'}
        </Button>
        <Button
          disabled={isSending || isWrong || (shown?.validationErrors.length ?? 0) > 0}
          onClick={() => {
            send(begin);
          }}
        >
          Back up
        </Button>
      </div>
    </div>
  );
}

function Plan({ plan }: { plan: BackupPlanAnswer }): ReactElement {
  return (
    <div className={styles.plan} role="status">
      {plan.validationErrors.map((text) => (
        <p key={text} className={styles.bad}>
          {sentence(text)}
        </p>
      ))}
      {plan.unmatched.map(({ field, name, message }) => (
        <p key={`${field} ${name}`} className={styles.bad}>
          {sentence(message)}
        </p>
      ))}
      {plan.validationErrors.length === 0 && (
        <p>
          {plural(plan.total, 'item')} of {plural(plan.resources.length, 'type')} in{' '}
          {plural(plan.namespaces.length, 'namespace')}.
        </p>
      )}
      <ul className={styles.kinds}>
        {plan.resources.slice(0, 30).map((row) => (
          <li key={row.resource}>
            {row.resource} {row.isEstimate && 'about '}
            {formatCount(row.count)}
          </li>
        ))}
      </ul>
      <PlannedVolumes volumes={plan.volumes ?? []} done="copied" />
      {plan.leftOut.map(({ reason, count }) => (
        <p key={reason}>
          Left out: {formatCount(count)}, {sentence(reason)}
        </p>
      ))}
      {plan.warnings.map((text) => (
        <p key={text}>{sentence(text)}</p>
      ))}
    </div>
  );
}
