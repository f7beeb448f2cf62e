import type { Condition, Restore, RestorePhase } from '../../../api/index.ts';
import { objectAt, type JsonObject } from '../../../base/index.ts';
import {
  fromStatusProgress,
  present,
  toStatusProgress,
  UNKNOWN,
  estimate,
  type Report,
} from '../../../core/progress/index.ts';
import { ItemsByKind, RestoreMessages, type KindCounts } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Snapshot } from '../../operation/index.ts';

/** What a restore tells in its status while it runs, apart from the numbers of its meter. */
export class RestoreStatus {
  readonly messages: RestoreMessages = new RestoreMessages();
  readonly items: ItemsByKind = new ItemsByKind();
  readonly hooks: { hooksAttempted: number; hooksFailed: number } = { hooksAttempted: 0, hooksFailed: 0 };
  phase: RestorePhase;
  kindOf: (groupResource: string) => string = (groupResource) => groupResource;
  /** Another process, or an earlier attempt of this one, has begun the work. */
  readonly isResumed: boolean;
  readonly #startTimestamp: string;

  constructor(restore: Restore, startedAt: string) {
    this.phase = restore.status.phase ?? 'InProgress';
    this.isResumed = restore.status.stages !== undefined;
    this.#startTimestamp = restore.status.startTimestamp ?? startedAt;
  }

  get startTimestamp(): string {
    return this.#startTimestamp;
  }

  statusOf({ report, conditions, stages }: Snapshot): JsonObject {
    const items = report.measures.find(({ unit }) => unit === 'items');
    const { warnings, errors } = this.messages.counts();
    return {
      phase: this.phase,
      startTimestamp: this.#startTimestamp,
      progress: present({
        itemsRestored: items?.done,
        totalItems: items === undefined || items.total.kind === 'unknown' ? undefined : items.total.value,
        ...toStatusProgress(report),
      }),
      stages: stages.map((stage) => ({ ...stage })),
      itemsByKind: this.items.list(this.kindOf).map(withoutZeros),
      conditions: conditions.map(conditionObject),
      warnings,
      errors,
      hookStatus: { ...this.hooks },
    };
  }
}

/** What another process, or an earlier attempt, told about the restore. */
export function reportInStatus(object: KubeObject, restore: Restore): Report {
  const progress = objectAt(object, 'status', 'progress');
  const { itemsRestored, totalItems } = restore.status.progress ?? {};
  return fromStatusProgress(progress, {
    state: 'running',
    ...(itemsRestored === undefined && totalItems === undefined
      ? {}
      : {
          items: {
            unit: 'items',
            done: itemsRestored ?? 0,
            total: totalItems === undefined ? UNKNOWN : estimate(totalItems),
          },
        }),
    ...(restore.status.startTimestamp === undefined ? {} : { startedAt: restore.status.startTimestamp }),
  });
}

/** Most counts of most kinds are 0, and all of them are written every second. */
function withoutZeros(row: KindCounts): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0));
}

function conditionObject(condition: Condition): JsonObject {
  return { ...condition };
}
