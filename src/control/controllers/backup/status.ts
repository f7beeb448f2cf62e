import type { BackupPhase } from '../../../api/index.ts';
import { objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import { FORMAT_VERSION } from '../../../core/backup/index.ts';
import { estimate, fromStatusProgress, toStatusProgress, type Report } from '../../../core/progress/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { runningStatus, type Snapshot } from '../../operation/index.ts';

/** What a running backup reports in addition to its progress. */
export interface BackupState {
  phase: BackupPhase;
  startTimestamp: string;
  expiration: string;
  warnings: number;
  errors: number;
  hookStatus: { hooksAttempted: number; hooksFailed: number };
  itemsByKind: JsonObject[];
}

/** Every status field that a backup owns while it runs. */
export function statusOf(state: BackupState, snapshot: Snapshot): JsonObject {
  const { report } = snapshot;
  const items = report.measures.find(({ unit }) => unit === 'items');
  const total = items === undefined || items.total.kind === 'unknown' ? undefined : items.total.value;
  return {
    ...runningStatus(snapshot),
    ...state,
    hookStatus: { ...state.hookStatus },
    version: 1,
    formatVersion: FORMAT_VERSION,
    progress: {
      ...toStatusProgress(report),
      ...(items === undefined ? {} : { itemsBackedUp: items.done }),
      ...(total === undefined ? {} : { totalItems: total }),
    },
  };
}

/** As the final status has it, without the fields of a running operation. */
export function reportAtEnd(report: Report, isWhole: boolean): Report {
  const {
    ratePerSecond: _rate,
    etaSeconds: _eta,
    current: _current,
    stalled: _stalled,
    waits: _waits,
    ...rest
  } = report;
  const percent = isWhole ? 100 : Math.min(99, report.percent ?? 0);
  return { ...rest, state: isWhole ? 'completed' : 'partiallyFailed', percent };
}

/** The last report of an attempt by another process; its percent must not fall. */
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

export function phaseOf(backup: KubeObject): BackupPhase | undefined {
  return textAt(backup, 'status', 'phase') as BackupPhase | undefined;
}
