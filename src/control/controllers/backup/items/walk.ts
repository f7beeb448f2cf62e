import type { BackupSpec } from '../../../../api/index.ts';
import type { BackupPlan } from '../../../../core/backup/index.ts';
import type { ResourcePolicies } from '../../../../core/selection/index.ts';
import type { KubeClient } from '../../../../edge/kube/index.ts';
import type { Findings, PatientCalls } from '../../../operation/index.ts';
import { Collector, type CollectorDeps } from './collector.ts';
import { Listing } from './listing.ts';
import { Opening } from './opening.ts';
import { byTurn, type Query } from './query.ts';
import { surveyCluster } from './survey.ts';

/** What to look for: a backup with all defaults filled in. */
export interface Wanted {
  name: string;
  spec: BackupSpec;
  policies: ResourcePolicies | undefined;
}

export interface WalkDeps {
  kube: KubeClient;
  /** For single items, for which a pod may stand still. */
  api: PatientCalls;
  /** For what there is no backup without. */
  apiForLists: PatientCalls;
  findings: Findings;
  signal: AbortSignal;
  /** What is being read now. */
  onLook?: (current: string) => void;
  /** The plan is made, and counting comes next. */
  onPlanned?: (plan: BackupPlan) => void;
  /** So many items were found so far, about; undefined if nobody knows. */
  onCounted?: (items: number | undefined) => void;
  onLeftOut?: NonNullable<CollectorDeps['onLeftOut']>;
}

export interface Walk {
  plan: BackupPlan;
  /** How many lists it takes. */
  lists: number;
  collector: Collector;
  /** Frees what was read and nobody iterates any more. */
  end(): Promise<void>;
}

/** Reads the cluster, plans, and counts; after that the items of the backup can be iterated. Changes nothing. */
export async function openWalk(wanted: Wanted, deps: WalkDeps): Promise<Walk> {
  const { kube, api, apiForLists, findings, signal, onLook = () => undefined, onLeftOut } = deps;
  const looking = { kube, api: apiForLists, findings, signal };
  const { plan, actions, known } = await surveyCluster(wanted, { ...looking, onLook });
  deps.onPlanned?.(plan);
  let items: number | undefined = 0;
  const onOpened = ({ list, target, expected, wanted: share }: Query): void => {
    const where = target.namespace === undefined ? '' : ` in ${target.namespace}`;
    onLook(`${list.groupResource}${where}`);
    items = items === undefined || expected === undefined ? undefined : items + expected * (share?.whole ?? 1);
    deps.onCounted?.(items);
  };
  const queries = byTurn(await new Opening({ ...looking, plan, onOpened }).open(plan.lists));
  const listing = new Listing(queries, looking);
  const collector = new Collector({
    ...{ ...looking, api, plan, actions, known, listing, queries },
    ...(onLeftOut === undefined ? {} : { onLeftOut }),
  });
  return { plan, lists: queries.length, collector, end: () => listing.end() };
}
