import type {
  LeftOutGroup,
  PlannedAction,
  PlannedVolume,
  RestorePlanAnswer,
  UnmatchedName,
} from '../../../../core/operations/index.ts';
import { explainLeftOut, type LeftOut } from '../../../../core/restore/index.ts';
import { itemName, type ItemKey } from '../../../../core/progress/index.ts';

const MAX_ITEMS = 10_000;
const MAX_EXAMPLES = 20;

/** Collects what a restore would do. */
export class PlanAnswer {
  readonly #answer: RestorePlanAnswer;
  readonly #volumes: PlannedVolume[] = [];
  readonly #leftOut = new Map<string, LeftOutGroup>();

  constructor(backup: string, validationErrors: readonly string[] = []) {
    this.#answer = {
      kind: 'Restore',
      validationErrors: [...validationErrors],
      unmatched: [],
      warnings: [],
      backup,
      counts: { create: 0, update: 0, exists: 0, fail: 0 },
      items: [],
      isCut: false,
      leftOut: [],
    };
  }

  /** What would become of a claim's data. */
  addVolume(volume: PlannedVolume): void {
    if (this.#volumes.length < MAX_ITEMS) this.#volumes.push(volume);
  }

  add({ groupResource: resource, namespace, name }: ItemKey, action: PlannedAction, reason?: string): void {
    this.#answer.counts[action] += 1;
    if (this.#answer.items.length >= MAX_ITEMS) {
      this.#answer.isCut = true;
      return;
    }
    this.#answer.items.push({
      resource,
      name,
      action,
      ...(namespace === undefined ? {} : { namespace }),
      ...(reason === undefined ? {} : { reason }),
    });
  }

  leaveOut(key: ItemKey, reason: string): void {
    const group = this.#leftOut.get(reason) ?? { reason, count: 0, examples: [] };
    this.#leftOut.set(reason, group);
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(itemName(key));
  }

  leaveOutAll(rows: readonly LeftOut[]): void {
    for (const { names, reason, ...key } of rows) {
      for (const name of names) this.leaveOut({ ...key, name }, explainLeftOut(reason));
    }
  }

  done(warnings: readonly string[] = [], unmatched: readonly UnmatchedName[] = []): RestorePlanAnswer {
    return {
      ...this.#answer,
      warnings: [...warnings],
      unmatched: [...unmatched],
      leftOut: [...this.#leftOut.values()],
      volumes: this.#volumes,
    };
  }
}
