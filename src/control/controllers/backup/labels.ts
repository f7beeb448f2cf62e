import { textsAt } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';

/** Labels of the metrics about one backup. */
export function labelsOf(backup: KubeObject): { schedule: string } {
  return { schedule: textsAt(backup, 'metadata', 'labels')['velero.io/schedule-name'] ?? '' };
}
