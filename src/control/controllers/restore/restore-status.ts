import type { Restore, RestorePhase } from '../../../api/index.ts';
import { objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import {
  fromStatusProgress,
  present,
  toStatusProgress,
  UNKNOWN,
  estimate,
  type Report,
} from '../../../core/progress/index.ts';
import { ItemsByKind, type KindCounts } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { runningStatus, type Findings, type Snapshot } from '../../operation/index.ts';

/** What a restore reports in its status while it runs, apart from the numbers of its meter. */
export class RestoreStatus {
  readonly items: ItemsByKind = new ItemsByKind();
  readonly hooks: { hooksAttempted: number; hooksFailed: number } = { hooksAttempted: 0, hooksFailed: 0 };
  phase: RestorePhase;
  kindOf: (groupResource: string) => string = (groupResource) => groupResource;
  /** Another process, or an earlier attempt of this one, has begun the work. */
  readonly isResumed: boolean;
  readonly startTimestamp: string;
  readonly #findings: Findings;
  #itemsByKind: JsonObject[] = [];

  constructor(restore: Restore, { findings, startedAt }: { findings: Findings; startedAt: string }) {
    this.phase = restore.status.phase ?? 'InProgress';
    this.isResumed = restore.status.stages !== undefined;
    this.startTimestamp = restore.status.startTimestamp ?? startedAt;
    this.#findings = findings;
  }

  /** Together with the total, so that no page shows two different numbers for one thing. */
  count(): void {
    this.#itemsByKind = this.items.list(this.kindOf).map(withoutZeros);
  }

  statusOf(snapshot: Snapshot): JsonObject {
    const { report } = snapshot;
    const items = report.measures.find(({ unit }) => unit === 'items');
    const { warnings, errors } = this.#findings;
    return {
      ...runningStatus(snapshot),
      phase: this.phase,
      startTimestamp: this.startTimestamp,
      progress: present({
        itemsRestored: items?.done,
        totalItems: items === undefined || items.total.kind === 'unknown' ? undefined : items.total.value,
        ...toStatusProgress(report),
      }),
      itemsByKind: this.#itemsByKind,
      warnings,
      errors,
      hookStatus: { ...this.hooks },
    };
  }
}

/** The last report of another process or an earlier attempt; undefined if the restore never began. */
export function reportOf(object: KubeObject): Report | undefined {
  const startedAt = textAt(object, 'status', 'startTimestamp');
  if (startedAt === undefined) return undefined;
  const progress = objectAt(object, 'status', 'progress');
  const { itemsRestored, totalItems } = progress;
  const [done, total] = [countOf(itemsRestored), countOf(totalItems)];
  return fromStatusProgress(progress, {
    state: 'running',
    startedAt,
    ...(done === undefined && total === undefined
      ? {}
      : { items: { unit: 'items', done: done ?? 0, total: total === undefined ? UNKNOWN : estimate(total) } }),
  });
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Most counts of most kinds are 0, and all of them are written every second. */
function withoutZeros(row: KindCounts): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0));
}
