import { labelValue, wallClock, without, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf, Backup, Schedule } from '../../../api/index.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';

export const SCHEDULE_NAME_LABEL = 'velero.io/schedule-name';
// It describes the Schedule, and kubectl would take it for the Backup's own.
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Run {
  /** When it was due. */
  dueAt: number;
  /** When it is created. */
  now: number;
  zone: string;
}

/** The Backup that a run of the schedule creates. */
export function scheduledBackup(schedule: Schedule, run: Run): KubeObject {
  const { metadata, spec } = schedule;
  const labels = spec.template.metadata?.labels ?? metadata.labels ?? {};
  const annotations = without(metadata.annotations ?? {}, LAST_APPLIED) as Record<string, string>;
  return {
    apiVersion: apiVersionOf(Backup),
    kind: Backup.kind,
    metadata: {
      name: `${metadata.name}-${stamp(run)}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: { ...labels, [SCHEDULE_NAME_LABEL]: labelValue(metadata.name) },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(spec.useOwnerReferencesInBackup === true ? { ownerReferences: [ownerOf(schedule)] } : {}),
    },
    spec: spec.template,
    // So that a run is not repeated if the process was killed after creating it.
    status: { scheduledFor: scheduledFor(run.dueAt) },
  };
}

export function scheduledFor(dueAt: number): string {
  return new Date(dueAt).toISOString();
}

function ownerOf({ metadata }: Schedule): JsonObject {
  const { name, uid = '' } = metadata;
  return { apiVersion: apiVersionOf(Schedule), kind: Schedule.kind, name, uid, controller: true };
}

/** Such as 20060102150405, in the server's time zone as in Velero. */
function stamp({ now, zone }: Run): string {
  const clock = wallClock(zone) ?? wallClock('UTC');
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = clock?.(now) ?? {};
  const two = (value: number): string => String(value).padStart(2, '0');
  return String(year).padStart(4, '0') + [month, day, hour, minute, second].map(two).join('');
}
