import type { BackupPlanAnswer, LeftOutGroup } from '../../../../core/operations/index.ts';
import { itemName } from '../../../../core/progress/index.ts';
import type { BackupOptions } from '../backup-kind.ts';
import { dryRun, type DryRunDeps, type DryRunOptions } from './dry-run.ts';

const MAX_EXAMPLES = 20;

/** The dry run of a backup. */
export async function planOfBackup(
  object: unknown,
  deps: DryRunDeps,
  options: BackupOptions,
  signal: AbortSignal,
): Promise<BackupPlanAnswer> {
  const groups = new LeftOutGroups();
  const onLeftOut: DryRunOptions['onLeftOut'] = (key, reason) => {
    groups.add(reason, itemName(key));
  };
  const found = await dryRun(object, deps, { ...options, onLeftOut }, signal);
  if (found.validationErrors !== undefined) {
    const nothing = { unmatched: [], warnings: [], namespaces: [], resources: [], total: 0, leftOut: [] };
    return { kind: 'Backup', validationErrors: found.validationErrors, ...nothing };
  }
  const { plan, collector, findings } = found;
  for (const { groupResource, reason } of plan.leftOut) groups.add(reason, groupResource);
  const counts = new Map<string, number>();
  for await (const { key } of collector.items()) {
    counts.set(key.groupResource, (counts.get(key.groupResource) ?? 0) + 1);
  }
  return {
    kind: 'Backup',
    validationErrors: [],
    unmatched: [...collector.selected.unmatched],
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
