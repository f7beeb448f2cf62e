/**
 * Pods as they are on nodes: bound, running, with what a kubelet says of them, and with events. The bed has no such
 * nodes, so this writes what kubelets would write; EndpointSlices hear nothing of it.
 */
import type { JsonObject } from '../../src/base/index.ts';
import { Dice } from './dice.ts';
import { pagesOf } from './list-plan.ts';
import { inParallel, type Wire } from './wire.ts';

interface Pod {
  metadata: { name: string; namespace: string; uid: string };
  spec: { containers: { name: string; image: string; volumeMounts?: { name: string; mountPath: string }[] }[] };
}

const PODS_A_NODE = 60;
const EVENTS_A_POD = 3;
const WORKERS = 40;
const TIME = '2026-11-16T08:00:00Z';
const CORE = '/api/v1';
/** As a kubelet's fields are marked. */
const BY_KUBELET = '?fieldManager=kubelet';

/** Only after the controllers were stopped: they would remove pods of silent nodes. Gives how many objects it has added. */
export async function runPods(wire: Wire, seed: number): Promise<number> {
  const pods: Pod[] = [];
  for await (const page of pagesOf(wire, `${CORE}/pods?limit=500`)) {
    const { items } = JSON.parse(page.toString()) as { items: Pod[] };
    // Only what is used: there may be tens of thousands.
    for (const { metadata, spec } of items) {
      const { name, namespace, uid } = metadata;
      const containers = spec.containers.map(({ name, image, volumeMounts = [] }) => ({ name, image, volumeMounts }));
      pods.push({ metadata: { name, namespace, uid }, spec: { containers } });
    }
  }
  const nodes = Math.ceil(pods.length / PODS_A_NODE);
  await inParallel(Array(nodes).keys(), WORKERS, async (at) => {
    await wire.ask('POST', `${CORE}/nodes`, JSON.stringify(nodeOf(at)));
  });
  await inParallel(pods.entries(), WORKERS, async ([at, pod]) => {
    const { name, namespace } = pod.metadata;
    const path = `${CORE}/namespaces/${namespace}/pods/${name}`;
    const node = at % nodes;
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName(node) };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    await wire.ask('POST', `${path}/binding`, JSON.stringify(binding));
    const status = statusOf(pod, { at, node, dice: new Dice(seed, 4, at) });
    await wire.ask('PATCH', `${path}/status${BY_KUBELET}`, JSON.stringify({ status }));
    for (const event of eventsOf(pod, node, new Dice(seed, 3, at))) {
      await wire.ask('POST', `${CORE}/namespaces/${namespace}/events${BY_KUBELET}`, JSON.stringify(event));
    }
  });
  return nodes + EVENTS_A_POD * pods.length;
}

function nodeName(at: number): string {
  return `node-${String(at).padStart(4, '0')}`;
}

function addressOf(network: number, at: number): string {
  return `10.${String(network + (at >> 16))}.${String((at >> 8) & 255)}.${String(at & 255)}`;
}

function nodeOf(at: number): JsonObject {
  const room = { cpu: '32', memory: '128Gi', pods: '110' };
  return {
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName(at), labels: { 'kubernetes.io/os': 'linux' } } },
    status: {
      ...{ capacity: room, allocatable: room, addresses: [{ type: 'InternalIP', address: addressOf(60, at) }] },
      conditions: [conditionOf('Ready')],
    },
  };
}

function conditionOf(type: string): JsonObject {
  return { type, status: 'True', lastTransitionTime: TIME, lastProbeTime: null };
}

function statusOf({ spec }: Pod, { at, node, dice }: { at: number; node: number; dice: Dice }): JsonObject {
  const [hostIP, podIP] = [addressOf(60, node), addressOf(80, at)];
  return {
    ...{ phase: 'Running', startTime: TIME, hostIP, hostIPs: [{ ip: hostIP }], podIP, podIPs: [{ ip: podIP }] },
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      conditionOf,
    ),
    containerStatuses: spec.containers.map(({ name, image, volumeMounts = [] }) => ({
      ...{ name, image, ready: true, started: true, restartCount: dice.between(0, 3) },
      imageID: `${image}@sha256:${dice.letters(64)}`,
      containerID: `containerd://${dice.letters(64)}`,
      state: { running: { startedAt: TIME } },
      volumeMounts: volumeMounts.map((mount) => ({ ...mount, recursiveReadOnly: 'Disabled' })),
    })),
  };
}

function eventsOf({ metadata }: Pod, node: number, dice: Dice): JsonObject[] {
  const { name, namespace, uid } = metadata;
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', name, namespace, uid };
  return Array.from({ length: EVENTS_A_POD }, () => {
    const time = `2026-11-16T08:${String(dice.between(10, 59))}:00Z`;
    return {
      ...{ apiVersion: 'v1', kind: 'Event', involvedObject, type: dice.pick(['Normal', 'Warning']) },
      metadata: { name: `${name}.${dice.letters(16)}`, namespace },
      ...{ reason: dice.pick(['Pulled', 'Created', 'Started', 'BackOff', 'Unhealthy']), count: dice.between(1, 200) },
      ...{ message: dice.words(dice.between(60, 200)), source: { component: 'kubelet', host: nodeName(node) } },
      ...{ firstTimestamp: time, lastTimestamp: time },
    };
  });
}
