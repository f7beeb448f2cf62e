import { scalarTextAt } from '../apiserver/object/index.ts';
import { quantityValue } from '../builtins/index.ts';
import { withCondition } from '../controllers/conditions.ts';
import type { Claim, Node, Pod, StorageClass, VolumeObject } from '../controllers/kinds/index.ts';
import { matchesTerms, misfitOf } from '../controllers/node-fit.ts';
import { isGoing } from '../controllers/pod-state.ts';
import { isBound, SELECTED_NODE } from '../controllers/volumes/claim-state.ts';

/** What the scheduler knows of the claims of a pod. */
export interface SchedulerView {
  node: Node | undefined;
  claim(name: string): Claim | undefined;
  volume(name: string): VolumeObject | undefined;
  storageClass(name: string): StorageClass | undefined;
  /** Whether a pod must fit into the node; where nothing runs everything does. */
  areSizesReal: boolean;
}

export type Decision =
  | { kind: 'bind' }
  /** Claims that wait for their first consumer: they are told the node, and the pod waits for them. */
  | { kind: 'selectNode'; claims: Claim[] }
  | { kind: 'wait'; reason: 'Unschedulable' | 'SchedulingGated'; message: string };

/** Where a pod may go, with the scheduler's own words when it may not. */
export function decide(pod: Pod, view: SchedulerView): Decision {
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    return {
      kind: 'wait',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    };
  }
  const { node } = view;
  if (node === undefined) return unschedulable('no nodes available to schedule pods');
  const misfit = misfitOf(pod.spec, node);
  if (misfit !== undefined) return unschedulable(noNode(misfitText(misfit)));
  const excess = view.areSizesReal ? excessOf(pod, node) : undefined;
  if (excess !== undefined) return unschedulable(noNode(`Insufficient ${excess}`));
  return decideByClaims(pod, node, view);
}

/** What a pod asks more of than the whole node has. Other pods do not count: processes share a machine as they can. */
function excessOf({ spec }: Pod, { status }: Node): string | undefined {
  return ['cpu', 'memory'].find((resource) => {
    const asked = spec.containers.map(({ resources }) => quantityValue(resources?.requests?.[resource] ?? '') ?? 0);
    const has = quantityValue(scalarTextAt(status, 'allocatable', resource)) ?? Infinity;
    return asked.reduce((sum, one) => sum + one, 0) > has;
  });
}

function decideByClaims(pod: Pod, node: Node, view: SchedulerView): Decision {
  const toTell: Claim[] = [];
  let isWaiting = false;
  for (const name of claimNamesOf(pod)) {
    const claim = view.claim(name);
    if (claim === undefined) return unschedulable(unmet(`persistentvolumeclaim "${name}" not found`));
    if (isGoing(claim)) return unschedulable(unmet(`persistentvolumeclaim "${name}" is being deleted`));
    if (isBound(claim)) {
      const volume = view.volume(claim.spec.volumeName ?? '');
      const terms = volume?.spec.nodeAffinity?.required?.nodeSelectorTerms;
      if (terms !== undefined && !matchesTerms(terms, node)) {
        return unschedulable(noNode('node(s) had volume node affinity conflict'));
      }
      continue;
    }
    if (!waitsForConsumer(claim, view)) {
      return unschedulable(unmet('pod has unbound immediate PersistentVolumeClaims'));
    }
    isWaiting = true;
    if (claim.metadata.annotations?.[SELECTED_NODE] !== node.metadata.name) toTell.push(claim);
  }
  return isWaiting ? { kind: 'selectNode', claims: toTell } : { kind: 'bind' };
}

function waitsForConsumer(claim: Claim, view: SchedulerView): boolean {
  const name = claim.spec.storageClassName ?? '';
  return name !== '' && view.storageClass(name)?.volumeBindingMode === 'WaitForFirstConsumer';
}

export function claimNamesOf(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`];
  });
}

function unschedulable(message: string): Decision {
  return { kind: 'wait', reason: 'Unschedulable', message };
}

/** The node is not fit for the pod. */
function noNode(why: string): string {
  const preemption = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
  return `0/1 nodes are available: 1 ${why}. no new claims to deallocate, ${preemption}`;
}

/** No node would be. */
function unmet(why: string): string {
  return `0/1 nodes are available: ${why}. not found`;
}

function misfitText({ misfit, taint }: NonNullable<ReturnType<typeof misfitOf>>): string {
  switch (misfit) {
    case 'nodeAffinity':
      return "node(s) didn't match Pod's node affinity/selector";
    case 'unschedulable':
      return 'node(s) were unschedulable';
    case 'taint':
      return `node(s) had untolerated taint(s) {${taint?.key ?? ''}: ${taint?.value ?? ''}}`;
  }
}

export function boundPod(pod: Pod, nodeName: string, now: string): Pod {
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
  };
  return {
    ...pod,
    spec: { ...pod.spec, nodeName },
    status: { ...pod.status, conditions: withCondition(pod.status?.conditions, condition, now) },
  };
}

export function waitingPod(pod: Pod, decision: Extract<Decision, { kind: 'wait' }>, now: string): Pod {
  const { reason, message } = decision;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastProbeTime: null,
    observedGeneration: pod.metadata.generation ?? 1,
  };
  return { ...pod, status: { ...pod.status, conditions: withCondition(pod.status?.conditions, condition, now) } };
}
