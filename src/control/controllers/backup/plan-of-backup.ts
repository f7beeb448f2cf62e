import { Backup } from '../../../api/index.ts';
import { NO_LOG } from '../../../base/index.ts';
import { VELERO_DEFAULTS } from '../../../core/backup/index.ts';
import type { BackupPlanAnswer, LeftOutGroup } from '../../../core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import type { ControlDeps } from '../ports.ts';
import { ApiPatience } from '../operation/index.ts';
import { Collector } from './collector.ts';
import type { BackupOptions } from './controller.ts';
import { Findings, nameOf } from './findings.ts';
import { Listing, queriesOf } from './listing.ts';
import { prepareBackup } from './prepare.ts';
import { surveyCluster } from './survey.ts';

export interface BackupPlanDeps extends Pick<ControlDeps, 'clock' | 'random' | 'namespace'> {
  /** With the rights of whoever asks. */
  kube: KubeClient;
}

const MAX_EXAMPLES = 20;

/** What a backup would hold: everything is looked for as the backup itself does it. Creates nothing, runs no hooks. */
export async function planOfBackup(
  object: unknown,
  deps: BackupPlanDeps,
  options: BackupOptions,
  signal: AbortSignal,
): Promise<BackupPlanAnswer> {
  const { kube, clock, random, namespace } = deps;
  const backup = Backup.parse(object).value;
  const defaults = { ...VELERO_DEFAULTS, ...options.defaults };
  const prepared = await prepareBackup(kube, backup as unknown as KubeObject, { namespace, defaults, signal });
  const { spec, policies, problems } = prepared;
  const answer: BackupPlanAnswer = {
    kind: 'Backup',
    validationErrors: problems,
    ...{ warnings: [], namespaces: [], resources: [], total: 0, leftOut: [] },
  };
  if (problems.length > 0) return answer;
  const findings = new Findings(NO_LOG);
  const nothing = (): void => undefined;
  const api = new ApiPatience({ clock, random, signal, limitMs: 10_000, onWaiting: nothing, onResumed: nothing });
  const looking = { kube, api, findings, signal };
  const name = backup.metadata.name ?? '';
  const { plan, actions } = await surveyCluster({ name, spec, policies }, { ...looking, onLook: nothing });
  const groups = new LeftOutGroups();
  for (const { groupResource, reason } of plan.leftOut) groups.add(reason, groupResource);
  const queries = plan.lists.flatMap(queriesOf);
  const listing = new Listing(looking);
  await listing.count(queries, nothing);
  const onLeftOut = (key: Parameters<typeof nameOf>[0], reason: string): void => {
    groups.add(reason, nameOf(key));
  };
  const collector = new Collector({ ...looking, plan, actions, listing, queries, onLeftOut });
  const counts = new Map<string, number>();
  for await (const { key } of collector.items()) {
    counts.set(key.groupResource, (counts.get(key.groupResource) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const resources = [...counts].map(([resource, count]) => {
    const kind = plan.types.get(resource)?.kind ?? '';
    return { resource, kind, count, isEstimate: false };
  });
  const namespaces = [...plan.namespaces.chosen];
  return { ...answer, warnings: findings.lines(), namespaces, resources, total, leftOut: groups.list() };
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
