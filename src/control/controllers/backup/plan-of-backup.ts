import type { BackupPlanAnswer, LeftOutGroup } from '../../../core/operations/index.ts';
import type { BackupOptions } from './controller.ts';
import { itemName } from '../../../core/progress/index.ts';
import { lookForItems, type LookDeps, type LookOptions } from './look-for-items.ts';

const MAX_EXAMPLES = 20;

/** The dry run of a backup. */
export async function planOfBackup(
  object: unknown,
  deps: LookDeps,
  options: BackupOptions,
  signal: AbortSignal,
): Promise<BackupPlanAnswer> {
  const groups = new LeftOutGroups();
  const onLeftOut: LookOptions['onLeftOut'] = (key, reason) => {
    groups.add(reason, itemName(key));
  };
  const look = await lookForItems(object, deps, { ...options, onLeftOut }, signal);
  if (look.validationErrors !== undefined) {
    const nothing = { warnings: [], namespaces: [], resources: [], total: 0, leftOut: [] };
    return { kind: 'Backup', validationErrors: look.validationErrors, ...nothing };
  }
  const { plan, collector, findings } = look;
  for (const { groupResource, reason } of plan.leftOut) groups.add(reason, groupResource);
  const counts = new Map<string, number>();
  for await (const { key } of collector.items()) {
    counts.set(key.groupResource, (counts.get(key.groupResource) ?? 0) + 1);
  }
  return {
    kind: 'Backup',
    validationErrors: [],
    warnings: findings.lines(),
    namespaces: [...plan.namespaces.chosen],
    resources: [...counts].map(([resource, count]) => {
      const kind = plan.types.get(resource)?.kind ?? '';
      return { resource, kind, count, isEstimate: false };
    }),
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    leftOut: groups.list(),
  };
}

class LeftOutGroups {
  readonly #groups = new Map<string, LeftOutGroup>();

  add(reason: string, example: string): void {
    const group = this.#groups.get(reason) ?? { reason, count: 0, examples: [] };
    this.#groups.set(reason, group);
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(example);
  }

  list(): LeftOutGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count);
  }
}
