import type { MetricName } from '../../../core/operations/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Ending } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import { labelsOf } from './labels.ts';

interface EndedBackup {
  object: KubeObject;
  state: Ending['state'];
  startTimestamp: string;
  items: number;
  errors: number;
  warnings: number;
  /** Absent when there is no archive. */
  archiveBytes: number | undefined;
}

/** Velero's metrics about a backup that has ended. */
export function countEnd(ended: EndedBackup, { metrics, clock }: Pick<ControlDeps, 'metrics' | 'clock'>): void {
  const { state, archiveBytes } = ended;
  const labels = labelsOf(ended.object);
  const set = (name: MetricName, value: number): void => {
    metrics.set(name, labels, value);
  };
  if (ended.warnings > 0) metrics.add('velero_backup_warning_total' satisfies MetricName, labels);
  const seconds = (clock.now() - Date.parse(ended.startTimestamp)) / 1000;
  if (seconds >= 0) metrics.observe('velero_backup_duration_seconds' satisfies MetricName, labels, seconds);
  set('velero_backup_items_total', ended.items);
  set('velero_backup_items_errors', ended.errors);
  set('velero_backup_last_status', state === 'completed' ? 1 : 0);
  if (archiveBytes !== undefined) set('velero_backup_tarball_size_bytes', archiveBytes);
  if (state === 'completed') set('velero_backup_last_successful_timestamp', Math.floor(clock.now() / 1000));
}
