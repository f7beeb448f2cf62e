import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ChangedAnswer, ScheduleRow } from '../../../src/core/operations/index.ts';
import { clusterQuery } from '../forms/object-fields.tsx';
import { useSend } from '../forms/use-send.ts';
import { goTo } from '../frame/place.ts';
import { useServices } from '../server/services.ts';
import { ConfirmButton } from '../show/confirm-button.tsx';
import { ErrorNotice } from '../show/notice.tsx';
import { YamlObject } from '../show/yaml-view.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import styles from './schedules.module.css';

interface ScheduleDialogProps {
  row: ScheduleRow;
  /** Something changed, so the list is read again. */
  onChange: () => void;
  onClose: () => void;
}

/** One schedule, and everything that can be done to it. */
export function ScheduleDialog({ row, onChange, onClose }: ScheduleDialogProps): ReactElement {
  const { client } = useServices();
  const [isEditing, setEditing] = useState(false);
  const { error, isSending, send } = useSend();
  const path = `api/schedules/${encodeURIComponent(row.name)}`;
  const query = clusterQuery(row.cluster);
  if (isEditing) {
    return (
      <ScheduleForm
        row={row}
        onDone={() => {
          setEditing(false);
          onChange();
        }}
      />
    );
  }
  const run = async (): Promise<void> => {
    const { id } = await client.change<ChangedAnswer>('POST', `${path}/run${query}`);
    goTo(id === undefined ? ['backups'] : ['operations', id]);
  };
  const pause = async (): Promise<void> => {
    await client.change('POST', `${path}/pause${query}`, { paused: !row.isPaused });
    onChange();
  };
  return (
    <>
      <div className={styles.actions}>
        <Button
          disabled={isSending}
          onClick={() => {
            send(run);
          }}
        >
          Run now
        </Button>
        <Button
          variant="default"
          onClick={() => {
            setEditing(true);
          }}
        >
          Edit
        </Button>
        <Button
          variant="default"
          disabled={isSending}
          onClick={() => {
            send(pause);
          }}
        >
          {row.isPaused ? 'Resume' : 'Pause'}
        </Button>
        <ConfirmButton
          label="Delete"
          title={`Delete schedule/${row.name}?`}
          verb="Delete it"
          keep="Keep it"
          act={async () => {
            await client.change('DELETE', path + query);
            onClose();
            onChange();
          }}
        >
          <p>It will create no more backups. Existing backups are kept.</p>
        </ConfirmButton>
      </div>
      {error && <ErrorNotice error={error} />}
      <YamlObject object={row.object} label={`YAML of ${row.name}`} />
    </>
  );
}
