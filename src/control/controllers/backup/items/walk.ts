import type { BackupSpec } from '../../../../api/index.ts';
import type { BackupPlan } from '../../../../core/backup/index.ts';
import type { ResourcePolicies } from '../../../../core/selection/index.ts';
import type { KubeClient } from '../../../../edge/kube/index.ts';
import type { Findings, PatientCalls } from '../../../operation/index.ts';
import { Collector, type CollectorDeps } from './collector.ts';
import { Listing, queriesOf, type Query } from './listing.ts';
import { surveyCluster } from './survey.ts';

/** What to look for: a backup with all defaults filled in. */
export interface Wanted {
  name: string;
  spec: BackupSpec;
  policies: ResourcePolicies | undefined;
}

export interface WalkDeps {
  kube: KubeClient;
  api: PatientCalls;
  findings: Findings;
  signal: AbortSignal;
  /** What is being read now. */
  onLook?: (current: string) => void;
  /** The plan is made, and counting comes next. */
  onPlanned?: (plan: BackupPlan, queries: readonly Query[]) => void;
  onLeftOut?: NonNullable<CollectorDeps['onLeftOut']>;
}

/** Reads the cluster, plans, and counts; after that the items of the backup can be iterated. Changes nothing. */
export async function openWalk(wanted: Wanted, deps: WalkDeps): Promise<{ plan: BackupPlan; collector: Collector }> {
  const { kube, api, findings, signal, onLook = () => undefined, onLeftOut } = deps;
  const looking = { kube, api, findings, signal };
  const { plan, actions } = await surveyCluster(wanted, { ...looking, onLook });
  const queries = plan.lists.flatMap(queriesOf);
  deps.onPlanned?.(plan, queries);
  const listing = new Listing(looking);
  await listing.count(queries, ({ list, target }) => {
    const where = target.namespace === undefined ? '' : ` in ${target.namespace}`;
    onLook(`${list.groupResource}${where}`);
  });
  const collector = new Collector({
    ...{ ...looking, plan, actions, listing, queries },
    ...(onLeftOut === undefined ? {} : { onLeftOut }),
  });
  return { plan, collector };
}
