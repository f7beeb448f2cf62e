import { flag, nullable, object, oneOf, text, texts, time } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { BackupSpec } from './backup-spec.ts';
import { VELERO } from './group.ts';

const ScheduleSpec = object(
  {
    schedule: text('When to run: five cron fields, `@every 1h`, `@daily` and the like, with `CRON_TZ=` if wanted.'),
    template: BackupSpec.describe('Spec of the backups that are created.'),
    useOwnerReferencesInBackup: nullable(flag('Whether the backups are deleted together with the schedule.')),
    paused: flag('Whether no backups are created for now.').optional(),
    skipImmediately: flag(
      'Whether the run that is due right after creation is skipped; goes back to false once done.',
    ).optional(),
  },
  'When to back up, and what.',
);

const ScheduleStatus = object(
  {
    phase: oneOf(['New', 'Enabled', 'FailedValidation'], 'Whether the schedule is in force.').optional(),
    conditions,
    lastBackup: nullable(time('When the last backup was created.')),
    lastSkipped: nullable(time('When a run was last skipped.')),
    nextRun: nullable(time('When the next backup is due; absent while paused.')),
    validationErrors: texts('Why the spec was refused, all reasons at once.').optional(),
  },
  'What the schedule did last.',
);

export const Schedule = defineKind({
  ...VELERO,
  kind: 'Schedule',
  plural: 'schedules',
  doc: 'Creates backups at set times.',
  fields: { spec: ScheduleSpec, status: ScheduleStatus },
  columns: [
    column('Status', '.status.phase'),
    column('Schedule', '.spec.schedule'),
    column('LastBackup', '.status.lastBackup', 'date'),
    column('NextRun', '.status.nextRun', 'string', { priority: 1 }),
    AGE,
    column('Paused', '.spec.paused', 'boolean'),
  ],
});
export type Schedule = ObjectOf<typeof Schedule>;
