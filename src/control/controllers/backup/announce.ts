import { Backup } from '../../../api/index.ts';
import { textAt, textsAt, type JsonObject } from '../../../base/index.ts';
import type { MetricName } from '../../../core/operations/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { aboutObject } from '../../runtime/objects/index.ts';
import type { EndState } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';

type AnnounceDeps = Pick<ControlDeps, 'events' | 'metrics' | 'clock'>;

interface End {
  state: EndState;
  ending: JsonObject;
  warnings: number;
  errors: number;
  items: number;
  archiveBytes: number | undefined;
}

const COUNTERS: Readonly<Record<EndState, MetricName>> = {
  completed: 'velero_backup_success_total',
  partiallyFailed: 'velero_backup_partial_failure_total',
  failed: 'velero_backup_failure_total',
  canceled: 'velero_backup_failure_total',
};
const REASONS: Readonly<Record<EndState, string>> = {
  completed: 'BackupCompleted',
  partiallyFailed: 'BackupPartiallyFailed',
  failed: 'BackupFailed',
  canceled: 'BackupCanceled',
};

export function announceStart(backup: KubeObject, attempt: number, { events, metrics }: AnnounceDeps): void {
  metrics.add('velero_backup_attempt_total' satisfies MetricName, labelsOf(backup));
  const message = attempt === 1 ? 'the backup began' : `the backup began anew, for the ${attempt}. time`;
  events.record({ type: 'Normal', reason: 'BackupStarted', message, about: aboutObject(Backup, backup) });
}

export function announceRefusal(backup: KubeObject, problems: readonly string[], deps: AnnounceDeps): void {
  deps.metrics.add('velero_backup_validation_failure_total' satisfies MetricName, labelsOf(backup));
  const message = `the backup was refused: ${problems.join('; ')}`;
  deps.events.record({ type: 'Warning', reason: 'BackupRefused', message, about: aboutObject(Backup, backup) });
}

export function announceEnd(backup: KubeObject, end: End, deps: AnnounceDeps): void {
  const { state, ending, warnings, errors, items } = end;
  const isFine = state === 'completed';
  const counts = `${items} items, ${warnings} warnings, ${errors} errors`;
  const why = textAt(ending, 'failureReason');
  deps.events.record({
    type: isFine ? 'Normal' : 'Warning',
    reason: REASONS[state],
    message: why === undefined ? counts : `${why}; ${counts}`,
    about: aboutObject(Backup, backup),
  });
  measureEnd(backup, end, deps);
}

function measureEnd(backup: KubeObject, end: End, { metrics, clock }: AnnounceDeps): void {
  const labels = labelsOf(backup);
  const set = (name: MetricName, value: number): void => {
    metrics.set(name, labels, value);
  };
  metrics.add(COUNTERS[end.state], labels);
  if (end.warnings > 0) metrics.add('velero_backup_warning_total' satisfies MetricName, labels);
  const startedAt = Date.parse(textAt(backup, 'status', 'startTimestamp') ?? '');
  const seconds = (clock.now() - startedAt) / 1000;
  if (seconds >= 0) metrics.observe('velero_backup_duration_seconds' satisfies MetricName, labels, seconds);
  set('velero_backup_items_total', end.items);
  set('velero_backup_items_errors', end.errors);
  set('velero_backup_last_status', end.state === 'completed' ? 1 : 0);
  if (end.archiveBytes !== undefined) set('velero_backup_tarball_size_bytes', end.archiveBytes);
  if (end.state === 'completed') set('velero_backup_last_successful_timestamp', Math.floor(clock.now() / 1000));
}

function labelsOf(backup: KubeObject): { schedule: string } {
  return { schedule: textsAt(backup, 'metadata', 'labels')['velero.io/schedule-name'] ?? '' };
}
