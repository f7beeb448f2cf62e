import { nextRun, objectAt, parseCron, textAt, valueAt, without, type JsonObject } from '../../../src/base/index.ts';
import type { ScheduleRow } from '../../../src/core/operations/index.ts';
import { backupSpecOf, draftOfSpec, type BackupDraft } from '../forms/backup-draft.ts';
import { nameProblem } from '../forms/field-errors.tsx';
import { labelsProblem } from '../forms/labels.ts';
import { clockText, relativeText } from '../show/time-text.ts';

export interface ScheduleDraft {
  name: string;
  cron: string;
  isPaused: boolean;
  backup: BackupDraft;
}

export function scheduleDraftOf(row: ScheduleRow | undefined): ScheduleDraft {
  const spec = objectAt(row?.object, 'spec');
  return {
    name: row?.name ?? '',
    cron: textAt(spec, 'schedule') ?? '0 3 * * *',
    isPaused: valueAt(spec, 'paused') === true,
    backup: draftOfSpec(objectAt(spec, 'template')),
  };
}

/** What the form does not ask about stays as it was. */
export function scheduleSpecOf({ cron, isPaused, backup }: ScheduleDraft, old: JsonObject): JsonObject {
  return {
    ...without(old, 'paused'),
    schedule: cron.trim(),
    template: backupSpecOf(backup, objectAt(old, 'template')),
    ...(isPaused && { paused: true }),
  };
}

/** Whether it cannot be saved yet. */
export function isWrong({ name, cron, backup }: ScheduleDraft): boolean {
  return name === '' || (nameProblem(name) ?? labelsProblem(backup.labels) ?? whenText(cron).problem) !== undefined;
}

/** When it would run next in the time zone of this browser, so that a slip is seen before it is saved. */
export function whenText(cron: string): { text?: string; problem?: string } {
  const { cron: read, problems } = parseCron(cron.trim(), Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (read === undefined) return { problem: problems[0] ?? 'This is not a cron expression.' };
  const now = Date.now();
  const next = nextRun(read, now);
  if (next === undefined) return { problem: 'It would never run.' };
  const iso = new Date(next).toISOString();
  return { text: `Next: ${clockText(iso, now)} (${relativeText(iso, now)}), if the server is in your time zone.` };
}
