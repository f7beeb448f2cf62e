import type { JsonObject } from '../../../base/index.ts';
import { objectAt, objectsAt, textAt } from '../../../base/index.ts';
import { FORMAT_VERSION } from '../../../core/backup/index.ts';
import { estimate, fromStatusProgress, toStatusProgress, type Report } from '../../../core/progress/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Snapshot, StageTime } from '../../operation/index.ts';
import type { BackupPhase, Condition } from '../../../api/index.ts';

/** What a running backup tells beside its progress. */
export interface BackupState {
  phase: BackupPhase;
  startTimestamp: string;
  expiration: string;
  warnings: number;
  errors: number;
  hookStatus: { hooksAttempted: number; hooksFailed: number };
  itemsByKind: JsonObject[];
}

/** Every field of status that a backup owns while it runs. */
export function statusOf(state: BackupState, { report, conditions, stages }: Snapshot): JsonObject {
  const items = report.measures.find(({ unit }) => unit === 'items');
  const total = items === undefined || items.total.kind === 'unknown' ? undefined : items.total.value;
  return {
    ...state,
    hookStatus: { ...state.hookStatus },
    version: 1,
    formatVersion: FORMAT_VERSION,
    progress: {
      ...toStatusProgress(report),
      ...(items === undefined ? {} : { itemsBackedUp: items.done }),
      ...(total === undefined ? {} : { totalItems: total }),
    },
    conditions: conditions.map((condition): JsonObject => ({ ...condition })),
    stages: stages.map((stage): JsonObject => ({ ...stage })),
  };
}

/** What status told of an attempt that another process began; its percent must not fall. */
export function reportOf(backup: KubeObject): Report | undefined {
  const status = objectAt(backup, 'status');
  const progress = objectAt(status, 'progress');
  const startedAt = textAt(status, 'startTimestamp');
  if (startedAt === undefined) return undefined;
  const { itemsBackedUp, totalItems } = progress;
  return fromStatusProgress(progress, {
    state: 'running',
    startedAt,
    ...(typeof itemsBackedUp === 'number' && typeof totalItems === 'number'
      ? { items: { unit: 'items', done: itemsBackedUp, total: estimate(totalItems) } }
      : {}),
  });
}

export function conditionsOf(backup: KubeObject): Condition[] {
  return objectsAt(backup, 'status', 'conditions') as unknown as Condition[];
}

export function stagesOf(backup: KubeObject): StageTime[] {
  return objectsAt(backup, 'status', 'stages') as unknown as StageTime[];
}

export function phaseOf(backup: KubeObject): BackupPhase | undefined {
  return textAt(backup, 'status', 'phase') as BackupPhase | undefined;
}

/** How often work on it was begun. */
export function attemptOf(backup: KubeObject): number {
  const attempt = objectAt(backup, 'status')['attempt'];
  return typeof attempt === 'number' ? attempt : 0;
}
