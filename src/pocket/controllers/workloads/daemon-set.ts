import { numberAt } from '../../apiserver/object/index.ts';
import { DAEMON_SETS, NODES, PODS, type DaemonSet, type Pod } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { ownedObjects, ownerKeys } from '../owned.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { isEmptySelector, matchesSelector } from '../selector.ts';
import { daemonPod, daemonStatus, planDaemonSet, type DaemonState } from './daemon-set-plan.ts';
import { REVISION_LABEL, syncRevisions, trimRevisions } from './revisions.ts';

/** Keeps one pod on every node that fits. */
export function daemonSetController(deps: ControllerDeps): Controller {
  const { client } = deps;
  const selects = (set: DaemonSet, pod: Pod): boolean =>
    !isEmptySelector(set.spec.selector) && matchesSelector(set.spec.selector, pod.metadata.labels);
  return {
    name: 'daemonset',
    watches: [
      watch(DAEMON_SETS),
      watch(PODS, ownerKeys(deps, DAEMON_SETS, selects)),
      watch(NODES, () => client.list(DAEMON_SETS).map((set) => keyOf(set.metadata))),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const set = client.get(DAEMON_SETS, namespace, name);
      if (set === undefined || isGoing(set) || isEmptySelector(set.spec.selector)) return undefined;
      const pods = await ownedObjects(deps, {
        owner: set,
        ownerType: DAEMON_SETS,
        type: PODS,
        storage: 'pods',
        matches: (pod) => selects(set, pod),
      });
      const collisions = numberAt(set.status, 'collisionCount');
      const history = { owner: set, type: DAEMON_SETS, hashLabel: REVISION_LABEL, collisions };
      const revisions = await syncRevisions(deps, history);
      if (revisions === 'collision') {
        await client.update(
          DAEMON_SETS,
          { ...set, status: { ...set.status, collisionCount: collisions + 1 } },
          'status',
        );
        return undefined;
      }
      const hash = revisions.newest.metadata.labels?.[REVISION_LABEL] ?? '';
      const used = new Set([...pods.map((pod) => pod.metadata.labels?.[REVISION_LABEL]), hash]);
      await trimRevisions(deps, revisions.all, {
        limit: set.spec.revisionHistoryLimit ?? 10,
        isUsed: (revision) => used.has(revision.metadata.labels?.[REVISION_LABEL]),
      });
      return advance(deps, { set, pods, nodes: client.list(NODES), hash, now: deps.clock.now() });
    },
  };
}

async function advance({ client }: ControllerDeps, state: DaemonState): Promise<number | undefined> {
  const { set } = state;
  const namespace = set.metadata.namespace ?? '';
  const { createOn, remove } = planDaemonSet(state);
  await Promise.all([
    ...createOn.map((node) => client.create(PODS, daemonPod(state, node))),
    ...remove.map((pod) => client.delete(PODS, namespace, pod.metadata.name)),
  ]);
  if (createOn.length + remove.length > 0) return undefined;
  const { status, nextInMs } = daemonStatus(state);
  await client.update(DAEMON_SETS, { ...set, status }, 'status');
  return nextInMs;
}
