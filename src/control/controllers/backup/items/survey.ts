import { CLUSTER_ROLE_BINDING, NAMESPACE } from '../../../../api/index.ts';
import { isAppError } from '../../../../base/index.ts';
import {
  claimAction,
  customResourceAction,
  planBackup,
  podAction,
  serviceAccountAction,
  type BackupPlan,
  type ItemAction,
} from '../../../../core/backup/index.ts';
import type { BackupSpec } from '../../../../api/index.ts';
import { itemId } from '../../../../core/progress/index.ts';
import type { KubeClient, Target, KubeObject } from '../../../../edge/kube/index.ts';
import type { Findings, PatientCalls } from '../../../operation/index.ts';
import { listAll } from '../prepare.ts';
import { type ResourceNames, resourceNames, type ResourcePolicies } from '../../../../core/selection/index.ts';

export interface SurveyDeps {
  kube: KubeClient;
  api: PatientCalls;
  findings: Findings;
  signal: AbortSignal;
  /** What is being read now. */
  onLook: (current: string) => void;
}

export interface Survey {
  plan: BackupPlan;
  names: ResourceNames;
  actions: ItemAction[];
  /** Objects that were read for the plan, by the ids of their items: other items may need them. */
  known: ReadonlyMap<string, KubeObject>;
}

const DEADLINE_MS = 60_000;
const BINDINGS = 'clusterrolebindings.rbac.authorization.k8s.io';
/** Groups with a dot that Kubernetes itself serves; any other may be defined by a custom resource definition. */
const BUILT_IN =
  /^(admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|policy|rbac\.authorization|resource|scheduling|storage|storagemigration|metrics)\.k8s\.io$/;

/** Without them service accounts lack their cluster-wide rights, which is reported; the rest of the backup is fine. */
async function readBindings(
  all: (target: Target) => Promise<KubeObject[]>,
  findings: Findings,
): Promise<readonly KubeObject[]> {
  try {
    return await all({ type: CLUSTER_ROLE_BINDING });
  } catch (error) {
    if (!isAppError(error, 'forbidden', 'serverError', 'throttled', 'timeout', 'badAnswer')) throw error;
    findings.error('cluster', `the rights of service accounts may be missing: ${error.message}`);
    return [];
  }
}

/** Reads the cluster's current state, and plans: discovery is repeated for every backup. */
export async function surveyCluster(
  backup: { name: string; spec: BackupSpec; policies: ResourcePolicies | undefined },
  deps: SurveyDeps,
): Promise<Survey> {
  const { kube, api, findings, signal } = deps;
  const options = { signal, deadlineMs: DEADLINE_MS };
  deps.onLook('the kinds that the cluster serves');
  const all = (target: Target): Promise<KubeObject[]> => api.call(() => listAll(kube, target, options));
  const [discovery, namespaces] = await Promise.all([api.call(() => kube.discover(options)), all({ type: NAMESPACE })]);
  for (const { group, version, error } of discovery.failures) {
    findings.error('operation', `objects of ${group}/${version} are not in the backup: ${error.message}`);
  }
  const policy = backup.policies?.includeExcludePolicy;
  const plan = planBackup({
    spec: backup.spec,
    types: discovery.resources,
    namespaces: namespaces.map(({ metadata }) => metadata.name),
    ...(policy === undefined ? {} : { policy }),
    ...(backup.policies === undefined ? {} : { filterPolicies: backup.policies }),
  });
  // As in Velero: a user who names a namespace expects to get it, unless only other objects were selected.
  const hasNamespaces = plan.lists.some(({ groupResource }) => groupResource === 'namespaces');
  for (const name of hasNamespaces ? plan.namespaces.missing : []) {
    findings.error({ namespace: name }, `namespace ${name} does not exist`);
  }
  const hasAccounts = plan.lists.some(({ groupResource }) => groupResource === 'serviceaccounts');
  const hasBindings = hasAccounts && plan.types.has(BINDINGS);
  const bindings = hasBindings ? await readBindings(all, findings) : [];
  const custom = [...plan.types].filter(([, { group }]) => group.includes('.') && !BUILT_IN.test(group));
  return {
    plan,
    names: resourceNames([...plan.types.values()]),
    actions: [
      podAction,
      claimAction(backup.name),
      serviceAccountAction(bindings),
      customResourceAction(new Set(custom.map(([groupResource]) => groupResource))),
    ],
    known: new Map(
      bindings.map((binding) => [itemId({ groupResource: BINDINGS, name: binding.metadata.name }), binding]),
    ),
  };
}
