import type { JsonObject } from '../../../base/index.ts';
import { DAEMON_SETS, type DaemonSet, type Node, type Pod, type PodTemplate, type Toleration } from '../kinds/index.ts';
import { misfitOf } from '../node-fit.ts';
import { controllerReference } from '../owned.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { availableInMs, isFinished, isGoing, isReady } from '../pod-state.ts';
import { timeOf } from '../timestamp.ts';
import { REVISION_LABEL } from './revisions.ts';

export interface DaemonState {
  set: DaemonSet;
  pods: readonly Pod[];
  nodes: readonly Node[];
  hash: string;
  now: number;
}

/** What every daemon pod endures. */
const TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** The template with what the controller adds to every pod. */
function daemonTemplate({ set, hash }: Pick<DaemonState, 'set' | 'hash'>): PodTemplate {
  const { template } = set.spec;
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'];
  const labels = {
    ...template.metadata?.labels,
    [REVISION_LABEL]: hash,
    ...(generation === undefined ? {} : { 'pod-template-generation': generation }),
  };
  const tolerations = [...(template.spec.tolerations ?? []), ...TOLERATIONS];
  return { metadata: { ...template.metadata, labels }, spec: { ...template.spec, tolerations } };
}

export function daemonPod(state: Pick<DaemonState, 'set' | 'hash'>, nodeName: string): JsonObject {
  const { name, namespace = '' } = state.set.metadata;
  const template = daemonTemplate(state);
  const owner = controllerReference(DAEMON_SETS, state.set);
  const pod = podFromTemplate(template, { namespace, generateName: `${name}-`, owner });
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const { affinity } = template.spec;
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...pod, spec: { ...template.spec, affinity: { ...affinity, nodeAffinity } } };
}

/** The node a pod is on, or the one it is meant for. */
export function nodeOf(pod: Pod): string {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const field = terms?.[0]?.matchFields?.find(({ key }) => key === 'metadata.name');
  return pod.spec.nodeName ?? field?.values?.[0] ?? '';
}

function shouldRun({ set, hash }: DaemonState, node: Node): boolean {
  return misfitOf(daemonTemplate({ set, hash }).spec, node) === undefined;
}

/** Old pods go one at a time, and a node without a pod gets one. */
export function planDaemonSet(state: DaemonState): { createOn: string[]; remove: Pod[] } {
  const { set, pods, nodes } = state;
  const [wanted, others] = [
    nodes.filter((node) => shouldRun(state, node)),
    nodes.filter((node) => !shouldRun(state, node)),
  ];
  const isOccupied = (node: Node): boolean =>
    pods.some((pod) => nodeOf(pod) === node.metadata.name && !isFinished(pod));
  const remove = new Set([
    ...pods.filter(isFinished),
    ...others.flatMap((node) => podsOn(state, node)),
    ...wanted.flatMap((node) => podsOn(state, node).slice(1)),
    ...(set.spec.updateStrategy?.type === 'OnDelete' ? [] : nextToUpdate(state, wanted)),
  ]);
  return {
    createOn: wanted.filter((node) => !isOccupied(node)).map(({ metadata }) => metadata.name),
    remove: [...remove].filter((pod) => !isGoing(pod)),
  };
}

/** One that is not well is replaced at any time; one that is only when nothing else is missing. */
function nextToUpdate(state: DaemonState, wanted: readonly Node[]): Pod[] {
  const { set, hash, now } = state;
  const oldest = wanted.map((node) => podsOn(state, node)[0]);
  const isMissing = (pod: Pod | undefined): boolean =>
    pod === undefined || availableInMs(pod, set.spec.minReadySeconds ?? 0, now) !== 0;
  const outdated = oldest.filter((pod) => pod !== undefined && pod.metadata.labels?.[REVISION_LABEL] !== hash) as Pod[];
  const [next] = outdated.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
  return next !== undefined && (!oldest.some(isMissing) || !isReady(next)) ? [next] : [];
}

/** Living pods on a node, oldest first. */
function podsOn({ pods }: DaemonState, node: Node): Pod[] {
  return pods
    .filter((pod) => nodeOf(pod) === node.metadata.name && !isFinished(pod) && !isGoing(pod))
    .toSorted((a, b) => timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp));
}

export function daemonStatus(state: DaemonState): { status: JsonObject; nextInMs: number | undefined } {
  const { set, nodes, hash, now } = state;
  const wanted = nodes.filter((node) => shouldRun(state, node));
  const others = nodes.filter((node) => !shouldRun(state, node));
  const first = wanted.flatMap((node) => podsOn(state, node).slice(0, 1));
  const waits = first.map((pod) => availableInMs(pod, set.spec.minReadySeconds ?? 0, now));
  const later = waits.filter((wait) => wait !== undefined && wait > 0) as number[];
  const available = waits.filter((wait) => wait === 0).length;
  const status = {
    currentNumberScheduled: first.length,
    numberMisscheduled: others.filter((node) => podsOn(state, node).length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: first.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: first.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    ...(set.status?.['collisionCount'] === undefined ? {} : { collisionCount: set.status['collisionCount'] }),
  };
  return { status, nextInMs: later.length === 0 ? undefined : Math.min(...later) };
}
