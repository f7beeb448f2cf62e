import { isAppError } from '../../../../base/index.ts';
import type { BackupPlanAnswer, LeftOutGroup } from '../../../../core/operations/index.ts';
import { itemName } from '../../../../core/progress/index.ts';
import type { ControlDeps } from '../../ports.ts';
import type { BackupOptions } from '../backup-kind.ts';
import type { Collected } from '../items/collected.ts';
import { SeenVolumes } from '../volumes/seen-volumes.ts';
import { dryRun, type DryRunDeps, type DryRunOptions } from './dry-run.ts';
import { plannedVolumes } from './planned-volumes.ts';

const MAX_EXAMPLES = 20;

/** The dry run of a backup. */
export async function planOfBackup(
  object: unknown,
  deps: DryRunDeps & { movers: Pick<ControlDeps['movers'], 'settings'> },
  options: BackupOptions,
  signal: AbortSignal,
): Promise<BackupPlanAnswer> {
  const groups = new LeftOutGroups();
  const onLeftOut: DryRunOptions['onLeftOut'] = (key, reason) => {
    groups.add(reason, itemName(key));
  };
  const found = await dryRun(object, deps, { ...options, onLeftOut }, signal);
  if (found.validationErrors !== undefined) {
    const nothing = { unmatched: [], warnings: [], namespaces: [], resources: [], total: 0, leftOut: [], volumes: [] };
    return { kind: 'Backup', validationErrors: found.validationErrors, ...nothing };
  }
  const { plan, collector, findings } = found;
  for (const { groupResource, reason } of plan.leftOut) groups.add(reason, groupResource);
  const counts = new Map<string, number>();
  const seen = new SeenVolumes();
  for await (const item of collector.items()) {
    const { groupResource } = item.key;
    counts.set(groupResource, (counts.get(groupResource) ?? 0) + 1);
    if (!isSeen(seen, item)) findings.error(item.key, `${itemName(item.key)} cannot be read and would not be archived`);
  }
  const { uploader } = deps.movers.settings;
  const volumes = await plannedVolumes(seen, found, { ...deps, uploader }, signal);
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
    volumes,
  };
}

/** False if it is broken: then nothing is known of its volumes. */
function isSeen(seen: SeenVolumes, item: Collected): boolean {
  try {
    seen.see(item);
    return true;
  } catch (error) {
    if (!isAppError(error, 'badAnswer')) throw error;
    return false;
  }
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
