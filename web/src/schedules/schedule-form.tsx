import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { SCHEDULE } from '../../../src/api/resource-types.ts';
import { objectAt } from '../../../src/base/index.ts';
import type { ScheduleRow } from '../../../src/core/operations/index.ts';
import { hasOtherHooks } from '../forms/backup-draft.ts';
import { BackupFields } from '../forms/backup-fields.tsx';
import { fieldErrors, FormError } from '../forms/field-errors.tsx';
import { ClusterField, clusterQuery, NameField, useClusterField } from '../forms/object-fields.tsx';
import { useSend } from '../forms/use-send.ts';
import { resource } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { isWrong, scheduleDraftOf, scheduleSpecOf, whenText, type ScheduleDraft } from './schedule-draft.ts';
import form from '../forms/form.module.css';

interface ScheduleFormProps {
  /** The one to edit; a new one without it. */
  row?: ScheduleRow | undefined;
  onDone: () => void;
}

const FIELDS = ['metadata.name', 'spec.schedule'];

export function ScheduleForm({ row, onDone }: ScheduleFormProps): ReactElement {
  const { client } = useServices();
  const place = useClusterField();
  const [draft, setDraft] = useState<ScheduleDraft>(() => scheduleDraftOf(row));
  const { error, isSending, send } = useSend();
  const errors = fieldErrors(error);
  const old = objectAt(row?.object, 'spec');
  const when = whenText(draft.cron);
  const change = (next: Partial<ScheduleDraft>): void => {
    setDraft((before) => ({ ...before, ...next }));
  };
  const save = async (): Promise<void> => {
    const { name } = draft;
    const spec = scheduleSpecOf(draft, old);
    if (row === undefined) {
      const body = resource(SCHEDULE, { namespace: place.namespace, name }, spec);
      await client.change('POST', `api/schedules${place.query}`, body);
    } else
      await client.change('PUT', `api/schedules/${encodeURIComponent(name)}${clusterQuery(row.cluster)}`, { spec });
    onDone();
  };
  return (
    <div className={form.form}>
      {row === undefined && (
        <>
          <ClusterField {...place} />
          <NameField
            name={draft.name}
            error={errors.get('metadata.name')}
            onChange={(name) => {
              change({ name });
            }}
          />
        </>
      )}
      <TextInput
        label="When"
        description={when.text ?? 'Minute, hour, day of month, month, day of week. 0 3 * * * is every night at 3:00.'}
        value={draft.cron}
        error={when.problem ?? errors.get('spec.schedule')}
        onChange={(event) => {
          change({ cron: event.currentTarget.value });
        }}
      />
      <BackupFields
        cluster={row?.cluster ?? place.cluster}
        draft={draft.backup}
        change={(next) => {
          setDraft((before) => ({ ...before, backup: { ...before.backup, ...next } }));
        }}
        errorAt={(field) => errors.get(`spec.template.${field}`)}
        hasOtherHooks={hasOtherHooks(objectAt(old, 'template'))}
      />
      <Checkbox
        label="Paused (creates no backups)"
        checked={draft.isPaused}
        onChange={(event) => {
          change({ isPaused: event.currentTarget.checked });
        }}
      />
      <FormError error={error} fields={FIELDS} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <Button
          disabled={isSending || isWrong(draft)}
          onClick={() => {
            send(save);
          }}
        >
          {isSending ? 'Please wait…' : row === undefined ? 'Create schedule' : 'Save'}
        </Button>
      </div>
    </div>
  );
}
